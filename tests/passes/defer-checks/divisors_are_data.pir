; Each iteration remembers whether a divisor was zero; the loop has no way out.
; pass: defer-checks
; count: check = 1
; run: @f([7, -7], [2, 2]) = [3, -4]
; run: @f([7, -7], [2, 0]) raises ZeroDivisionError
; run: @f([7, -7], [0, 2]) raises ZeroDivisionError
; run: @f([], []) = []
func @f loop fast slots=1 (%0: array<i64, 1> in m0, %1: array<i64, 1> in m1) -> (array<i64, 1>) {
  %2: i64 = dim[0] %0
  %3: array<i64, 1> in m2 = empty %2
  own[slot0] %3 !w m2
  %4: i64 = const 0
  %5: i64 = const 1
  for %4, %2, %5 !r m0|m1 !w m2 {
  (%6: i64):
    %7: i64 = load_raw %0, %6 !r m0
    %8: i64 = load_raw %1, %6 !r m1
    %9: bool = ne %8, %4
    check[ZeroDivisionError, "integer division or modulo by zero"] %9
    %10: i64 = floordiv %7, %8
    store_raw %3, %10, %6 !w m2
    continue[0]
  }
  return %3
}
