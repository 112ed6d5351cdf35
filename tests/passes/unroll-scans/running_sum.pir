; Four sums at a time, each of the last one of the four before and of what has come since.
; pass: unroll-scans
; count: for = 2
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0]) = [1.0, 3.0, 7.0, 15.0, 31.0, 63.0]
; run: @f([1.0, 2.0, 4.0]) = [1.0, 3.0, 7.0]
; run: @f([0.5, inf, 1.0, -inf, 2.0]) = [0.5, inf, inf, nan, nan]
func @f loop fast (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> = empty %1
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = for %4, %1, %5, %3 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7
    %10: f64 = add %8, %9
    store_raw %2, %10, %7
    continue[0] %10
  }
  return %2
}
