; A loop that ends before its range does.
; pass: split-ranges
; count: for = 1
; run: @f([1.0, 2.0, -1.0, 8.0]) = 3.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %n: i64 = dim[0] %a
  %sum: f64 = for %zero, %n, %one, %start {
  (%i: i64, %before: f64):
    %left: i64 = sub %i, %one
    %l: i64 = mod %left, %n
    %own: f64 = load_raw %a, %i
    %negative: bool = lt %own, %start
    if %negative {
      break[0] %before
    } else {
      yield
    }
    %x: f64 = load_raw %a, %l
    %after: f64 = add %before, %own
    continue[0] %after
  }
  return %sum
}
