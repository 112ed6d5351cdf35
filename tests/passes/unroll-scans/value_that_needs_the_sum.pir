; What is added waits for the sum: a filter, no running sum.
; pass: unroll-scans
; count: for = 1
func @f loop fast (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> = empty %1
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.5
  %7: f64 = for %4, %1, %5, %3 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8
    %11: f64 = sub %10, %9
    %12: f64 = mul %11, %6
    %13: f64 = add %9, %12
    store_raw %2, %13, %8
    continue[0] %13
  }
  return %2
}
