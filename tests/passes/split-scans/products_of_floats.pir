; A product of a block may overflow, where all of them together are zero: the processor multiplies in order.
; pass: split-scans
; count: device_wanted = 0
; count: pfor = 0
; run: @f([2.0, 3.0]) = [2.0, 6.0]
func @f loop fast device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  %5: f64 = for %2, %1, %3, %4 !r m0 !w m0 {
  (%6: i64, %7: f64):
    %8: f64 = load_raw %0, %6 !r m0
    %9: f64 = mul %7, %8
    store_raw %0, %9, %6 !w m0
    continue[0] %9
  }
  return %0
}
