; The sum is added to in each iteration, of some -0.0; the count is left as it is.
; pass: conditional-sums
; count: if = 1
; run: @f([1.0, 4.0, 2.0, 8.0], 1.5) = 14.0, 3
; run: @f([1.0, nan, 2.0], 1.5) = 2.0, 1
func @f loop fast (%0: array<f64, 1>, %1: f64) -> (f64, i64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64, %7: i64 = for %4, %2, %5, %3, %4 {
  (%8: i64, %9: f64, %10: i64):
    %11: f64 = load_raw %0, %8
    %12: bool = gt %11, %1
    %13: f64, %14: i64 = if %12 {
      %15: f64 = add %9, %11
      %16: i64 = add %10, %5
      yield %15, %16
    } else {
      yield %9, %10
    }
    continue[0] %13, %14
  }
  return %6, %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (f64, i64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64, %7: i64 = for %4, %2, %5, %3, %4 !r m0 {
  (%8: i64, %9: f64, %10: i64):
    %11: f64 = load_raw %0, %8 !r m0
    %12: bool = gt %11, %1
    %13: f64, %14: i64 = if %12 {
      %15: i64 = add %10, %5
      yield %11, %15
    } else {
      %16: f64 = const -0.0
      yield %16, %10
    }
    %17: f64 = add %9, %13
    continue[0] %17, %14
  }
  return %6, %7
}
