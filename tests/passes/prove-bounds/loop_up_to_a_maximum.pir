; Where an iteration runs, the index is below the number of which the maximum with the start is taken.
; pass: prove-bounds
; count: check = 1
; run: @f([1.0, 2.0, 4.0], [7.0, 8.0]) = 3.0
; run: @f([], [7.0, 8.0]) = 0.0
; run: @f([1.0, 2.0, 4.0], []) raises IndexError
func @f loop fast (%x: array<f64, 1>, %y: array<f64, 1>) -> (f64) {
  %n: i64 = dim[0] %x
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %less: i64 = sub %n, %one
  %stop: i64 = max %less, %zero
  %sum: f64 = for %zero, %stop, %one, %none {
  (%i: i64, %s: f64):
    %inside: bool = lt %i, %n
    check[IndexError, "out of x"] %inside
    %v: f64 = load_raw %x, %i
    %m: i64 = dim[0] %y
    %there: bool = lt %i, %m
    check[IndexError, "out of y"] %there
    %t: f64 = add %s, %v
    continue[0] %t
  }
  return %sum
}
