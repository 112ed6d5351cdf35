; Rows have running sums of their own, and are shared as a whole.
; pass: split-scans
; count: device_wanted = 0
; count: pfor = 0
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[1.0, 3.0], [3.0, 7.0]]
func @f loop fast device (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  for %3, %1, %4 !r m0 !w m0 {
  (%6: i64):
    %7: f64 = for %3, %2, %4, %5 !r m0 !w m0 {
    (%8: i64, %9: f64):
      %10: f64 = load_raw %0, %6, %8 !r m0
      %11: f64 = add %9, %10
      store_raw %0, %11, %6, %8 !w m0
      continue[0] %11
    }
    continue[0]
  }
  return %0
}
