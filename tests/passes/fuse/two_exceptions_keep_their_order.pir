; Fused, the power of the first element would raise before the division of the second one.
; pass: fuse
; count: floordiv in maps = 0
; run: @f([1, 0], [-1, 1]) raises ZeroDivisionError
; run: @f([1, 1], [-1, 1]) raises ValueError
; run: @f([1, 2], [2, 1]) = 13
func @f array (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0) -> (i64) {
  %2: i64 = const 7
  %3: array<i64, 1> in m1 = floordiv %2, %0 !r m0
  %4: array<i64, 1> in m2 = pow %0, %1 !r m0
  %5: array<i64, 1> in m3 = add %3, %4 !r m1|m2
  %6: i64 = reduce[sum] %5 !r m3
  return %6
}
; ---- after
func @f array (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0) -> (i64) {
  %2: i64 = const 7
  %3: array<i64, 1> in m1 = floordiv %2, %0 !r m0
  %4: array<i64, 1> in m2 = pow %0, %1 !r m0
  %5: i64 = dim[0] %3
  %6: i64 = dim[0] %4
  %7: i64 = const 1
  %8: bool = eq %5, %6
  %9: bool = eq %5, %7
  %10: bool = eq %6, %7
  %11: bool = or %9, %10
  %12: bool = or %8, %11
  %13: i64 = select %9, %6, %5
  check[ValueError, "operands could not be broadcast together with shapes ({0},) ({1},) "] %12, %5, %6
  %14: i64 = map[reduce sum] %3, %4 !r m1|m2 {
  (%15: i64, %16: i64):
    %17: i64 = add %15, %16
    yield %17
  }
  return %14
}
