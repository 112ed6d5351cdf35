; The processor does it in order.
; pass: split-scans
; count: device_wanted = 0
; count: pfor = 0
func @f loop fast (%0: array<i64, 1> in m0) -> (i64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = for %2, %1, %3, %2 !r m0 !w m0 {
  (%5: i64, %6: i64):
    %7: i64 = load_raw %0, %5 !r m0
    %8: i64 = add %6, %7
    store_raw %0, %8, %5 !w m0
    continue[0] %8
  }
  return %4
}
