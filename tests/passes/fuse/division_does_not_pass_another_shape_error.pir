; `u` is no part of the loop, but its complaint comes second.
; pass: fuse
; count: floordiv in maps = 0
; run: @f([0, 0], [1, 2, 3]) raises ZeroDivisionError
; run: @f([1, 1], [1, 2]) = 14, [2, 3]
func @f array (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0) -> (i64, array<i64, 1>) {
  %2: i64 = const 7
  %3: array<i64, 1> in m1 = floordiv %2, %0 !r m0
  %4: array<i64, 1> in m2 = add %0, %1 !r m0
  %5: i64 = reduce[sum] %3 !r m1
  return %5, %4
}
; ---- after
func @f array (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0) -> (i64, array<i64, 1>) {
  %2: i64 = const 7
  %3: array<i64, 1> in m1 = floordiv %2, %0 !r m0
  %4: array<i64, 1> in m2 = add %0, %1 !r m0
  %5: i64 = reduce[sum] %3 !r m1
  return %5, %4
}
