; A check of the index may be why an access is right: it stays.
; pass: defer-checks
; count: check in loops = 1
; run: @f([1, 2, 4], 1) raises ZeroDivisionError
func @f loop fast slots=1 (%0: array<i64, 1> in m0, %1: i64) -> (array<i64, 1>) {
  %2: i64 = dim[0] %0
  %3: array<i64, 1> in m1 = empty %2
  own[slot0] %3 !w m1
  %4: i64 = const 0
  %5: i64 = const 1
  for %4, %2, %5 !r m0 !w m1 {
  (%6: i64):
    %7: bool = ne %6, %4
    check[ZeroDivisionError, "integer division or modulo by zero"] %7
    %8: i64 = sub %6, %5
    %9: i64 = load_raw %0, %8 !r m0
    %10: i64 = floordiv %1, %6
    %11: i64 = add %9, %10
    store_raw %3, %11, %6 !w m1
    continue[0]
  }
  return %3
}
