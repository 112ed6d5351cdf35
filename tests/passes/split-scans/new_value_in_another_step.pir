; What one step of a branch gives goes into another one: blocks would begin with their own.
; pass: split-scans
; count: device_wanted = 0
; count: pfor = 0
func @f loop fast device (%0: array<i64, 1> in m0, %1: array<i64, 1> in m1) -> (i64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64, %6: i64 = for %3, %2, %4, %3, %3 !r m0 !w m1 {
  (%7: i64, %8: i64, %9: i64):
    %10: i64 = load_raw %0, %7 !r m0
    %11: bool = gt %10, %3
    %12: i64, %13: i64 = if %11 {
      %14: i64 = add %8, %4
      %15: i64 = add %9, %14
      yield %14, %15
    } else {
      yield %8, %9
    }
    store_raw %1, %13, %7 !w m1
    continue[0] %12, %13
  }
  return %6
}
