; What has been stored so far decides about the next one.
; pass: split-scans
; count: device_wanted = 0
; count: pfor = 0
func @f loop fast device (%0: array<i64, 1> in m0, %1: array<i64, 1> in m1) -> (i64) {
  %2: i64 = dim[0] %0
  %4: i64 = const 0
  %5: i64 = const 1
  %7: i64 = for %4, %2, %5, %4 !r m0 !w m1 {
  (%8: i64, %9: i64):
    %10: i64 = load_raw %0, %8 !r m0
    %11: bool = gt %10, %9
    %12: i64 = if %11 !w m1 {
      store_raw %1, %10, %9 !w m1
      %16: i64 = add %9, %5
      yield %16
    } else {
      yield %9
    }
    continue[0] %12
  }
  return %7
}
