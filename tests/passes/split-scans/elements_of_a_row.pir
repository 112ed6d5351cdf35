; Several elements of each row that is kept.
; pass: split-scans
; count: device_wanted = 1
; run: @f([1.0, -2.0, 3.0], [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]) = 2
func @f loop fast device (%0: array<f64, 1> in m0, %1: array<f64, 2> in m1) -> (i64) {
  %2: i64 = dim[0] %0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: i64 = for %4, %2, %5, %4 !r m0 !w m1 {
  (%8: i64, %9: i64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: bool = gt %10, %6
    %12: i64 = if %11 !w m1 {
      %13: i64 = const 1
      store_raw %1, %10, %9, %4 !w m1
      store_raw %1, %10, %9, %13 !w m1
      %16: i64 = add %9, %5
      yield %16
    } else {
      yield %9
    }
    continue[0] %12
  }
  return %7
}
