; An iteration reads what the one before it has written.
; pass: split-scans
; count: device_wanted = 0
; count: pfor = 0
func @f loop fast device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 1
  %3: f64 = const 2.0
  %4: f64 = const 0.0
  %5: f64 = for %2, %1, %2, %4 !r m0 !w m0 {
  (%6: i64, %7: f64):
    %8: i64 = sub %6, %2
    %9: f64 = load_raw %0, %8 !r m0
    %10: f64 = add %7, %9
    store_raw %0, %10, %6 !w m0
    continue[0] %10
  }
  return %0
}
