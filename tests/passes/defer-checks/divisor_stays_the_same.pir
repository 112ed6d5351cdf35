; It is looked at once, and not at all where there is no iteration.
; pass: defer-checks
; count: check in loops = 0
; run: @f([7, -7], 2) = [3, -4]
; run: @f([7, -7], 0) raises ZeroDivisionError
; run: @f([], 0) = []
func @f loop fast slots=1 (%0: array<i64, 1> in m0, %1: i64) -> (array<i64, 1>) {
  %2: i64 = dim[0] %0
  %3: array<i64, 1> in m1 = empty %2
  own[slot0] %3 !w m1
  %4: i64 = const 0
  %5: i64 = const 1
  for %4, %2, %5 !r m0 !w m1 {
  (%6: i64):
    %7: i64 = load_raw %0, %6 !r m0
    %8: bool = ne %1, %4
    check[ZeroDivisionError, "integer division or modulo by zero"] %8
    %9: i64 = floordiv %7, %1
    store_raw %3, %9, %6 !w m1
    continue[0]
  }
  return %3
}
