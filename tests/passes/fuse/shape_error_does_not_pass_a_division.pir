; The division by zero comes first.
; pass: fuse
; count: floordiv in maps = 0
; run: @f([0, 0], [1, 2, 3]) raises ZeroDivisionError
; run: @f([1, 1], [1, 2, 3]) raises ValueError
func @f array (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0) -> (i64) {
  %2: i64 = const 7
  %3: array<i64, 1> in m1 = floordiv %2, %0 !r m0
  %4: array<i64, 1> in m2 = add %3, %1 !r m0|m1
  %5: i64 = reduce[sum] %4 !r m2
  return %5
}
; ---- after
func @f array (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0) -> (i64) {
  %2: i64 = const 7
  %3: array<i64, 1> in m1 = floordiv %2, %0 !r m0
  %4: i64 = dim[0] %3
  %5: i64 = dim[0] %1
  %6: i64 = const 1
  %7: bool = eq %4, %5
  %8: bool = eq %4, %6
  %9: bool = eq %5, %6
  %10: bool = or %8, %9
  %11: bool = or %7, %10
  %12: i64 = select %8, %5, %4
  check[ValueError, "operands could not be broadcast together with shapes ({0},) ({1},) "] %11, %4, %5
  %13: i64 = map[reduce sum] %3, %1 !r m0|m1 {
  (%14: i64, %15: i64):
    %16: i64 = add %14, %15
    yield %16
  }
  return %13
}
