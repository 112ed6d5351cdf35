; pass: fuse
; count: floordiv in maps = 1
; run: @f([2, 0]) raises ZeroDivisionError
; run: @f([2, 7]) = 4
func @f array (%0: array<i64, 1> in m0) -> (i64) {
  %1: i64 = const 7
  %2: array<i64, 1> in m1 = floordiv %1, %0 !r m0
  %3: i64 = reduce[sum] %2 !r m1
  return %3
}
; ---- after
func @f array (%0: array<i64, 1> in m0) -> (i64) {
  %1: i64 = const 7
  %2: i64 = dim[0] %0
  %3: i64 = map[reduce sum] %0 !r m0 {
  (%4: i64):
    %5: i64 = floordiv %1, %4
    yield %5
  }
  return %3
}
