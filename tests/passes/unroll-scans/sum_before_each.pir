; What is stored is the sum before the iteration; a number of iterations is carried beside it.
; pass: unroll-scans
; count: for = 2
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0]) = [0.0, 1.0, 3.0, 7.0, 15.0, 31.0]
; run: @f([1.0]) = [0.0]
func @f loop fast (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> = empty %1
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64, %7: i64 = for %4, %1, %5, %3, %4 {
  (%8: i64, %9: f64, %10: i64):
    %11: f64 = load_raw %0, %8
    store_raw %2, %9, %10
    %12: f64 = add %11, %9
    %13: i64 = add %10, %5
    continue[0] %12, %13
  }
  return %2
}
