; A sum of what a condition lets through, which is stored in each iteration.
; pass: split-scans
; count: device_wanted = 1
; count: pfor = 4
; run: @f([1, -2, 3, -4]) = [1, 3, 6, 10]
func @f loop fast device (%0: array<i64, 1> in m0) -> (array<i64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<i64, 1> in m1 = empty %1
  %3: i64 = const 0
  %4: i64 = const 1
  %6: i64 = for %3, %1, %4, %3 !r m0 !w m1 {
  (%7: i64, %8: i64):
    %9: i64 = load_raw %0, %7 !r m0
    %10: bool = gt %9, %3
    %11: i64 = if %10 {
      %12: i64 = add %8, %9
      yield %12
    } else {
      %13: i64 = neg %9
      %14: i64 = add %13, %8
      yield %14
    }
    store_raw %2, %11, %7 !w m1
    continue[0] %11
  }
  return %2
}
