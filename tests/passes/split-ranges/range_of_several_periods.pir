; A range that is longer than two periods: the test before the loop says no.
; pass: split-ranges
; count: for = 4
; run: @f([1.0, 2.0], 7, 2) = 11.0
; run: @f([1.0, 2.0, 4.0], 3, 3) = 7.0
; run: @f([1.0, 2.0, 4.0], 6, 3) = 14.0
; run: @f([1.0, 2.0, 4.0], -4, 3) = 0.0
func @f loop fast (%a: array<f64, 1>, %stop: i64, %n: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %sum: f64 = for %zero, %stop, %one, %start {
  (%i: i64, %before: f64):
    %right: i64 = add %i, %one
    %r: i64 = mod %right, %n
    %x: f64 = load_raw %a, %r
    %after: f64 = add %before, %x
    continue[0] %after
  }
  return %sum
}
