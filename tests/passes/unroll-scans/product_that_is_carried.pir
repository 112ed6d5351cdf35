; Another number is carried, and waited for all the same.
; pass: unroll-scans
; count: for = 1
func @f loop fast (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> = empty %1
  %3: f64 = const 0.0
  %4: f64 = const 1.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64, %8: f64 = for %5, %1, %6, %3, %4 {
  (%9: i64, %10: f64, %11: f64):
    %12: f64 = load_raw %0, %9
    %13: f64 = add %10, %12
    %14: f64 = mul %11, %12
    store_raw %2, %13, %9
    continue[0] %13, %14
  }
  return %2
}
