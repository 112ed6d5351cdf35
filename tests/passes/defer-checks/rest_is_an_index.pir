; Without its check, `a[x % n]` of an empty array would be read: the check stays.
; pass: defer-checks
; count: check in loops = 1
; run: @f([7, 8], [1.0, 2.0, 4.0]) = 6.0
; run: @f([7, 8], []) raises ZeroDivisionError
func @f loop fast (%0: array<i64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: f64 = for %4, %2, %5, %6 !r m0|m1 {
  (%8: i64, %9: f64):
    %10: i64 = load_raw %0, %8 !r m0
    %11: bool = ne %3, %4
    check[ZeroDivisionError, "integer division or modulo by zero"] %11
    %12: i64 = mod %10, %3
    %13: f64 = load_raw %1, %12 !r m1
    %14: f64 = add %9, %13
    continue[0] %14
  }
  return %7
}
