; Between the first and the last element no remainder is taken.
; pass: split-ranges
; count: for = 4
; count: mod = 2
; run: @f([1.0, 2.0, 4.0, 8.0]) = 30.0
; run: @f([1.0, 2.0]) = 6.0
; run: @f([1.0]) = 2.0
; run: @f([]) = 0.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %n: i64 = dim[0] %a
  %sum: f64 = for %zero, %n, %one, %start {
  (%i: i64, %before: f64):
    %left: i64 = sub %i, %one
    %l: i64 = mod %left, %n
    %right: i64 = add %i, %one
    %r: i64 = mod %right, %n
    %x: f64 = load_raw %a, %l
    %y: f64 = load_raw %a, %r
    %both: f64 = add %x, %y
    %after: f64 = add %before, %both
    continue[0] %after
  }
  return %sum
}
