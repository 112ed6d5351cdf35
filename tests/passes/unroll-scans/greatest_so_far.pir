; A maximum that each iteration stores, and one over all of how far below it a number is; NaN stays.
; pass: unroll-scans
; count: for = 2
; run: @f([1.0, 4.0, 2.0, 8.0, 3.0, 7.0]) = 5.0
; run: @f([4.0, 1.0]) = 3.0
; run: @f([1.0, nan, 2.0, 8.0, 3.0, 7.0]) = nan
func @f loop fast (%0: array<f64, 1>) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const -inf
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64, %7: f64 = for %4, %1, %5, %2, %3 {
  (%8: i64, %9: f64, %10: f64):
    %11: f64 = load_raw %0, %8
    %12: f64 = max %9, %11
    %13: f64 = sub %12, %11
    %14: f64 = max %13, %10
    continue[0] %12, %14
  }
  return %7
}
