; pass: version-loops
; count: check in loops = 1
; run: @f(10, 3) = 12
; run: @f(10, 0) raises ZeroDivisionError
; run: @f(0, 0) = 0
func @f loop fast (%0: i64, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = for %2, %0, %3, %2 {
  (%5: i64, %6: i64):
    %7: i64 = const 0
    %8: bool = ne %1, %7
    check[ZeroDivisionError, "integer division or modulo by zero"] %8
    %9: i64 = floordiv %5, %1
    %10: i64 = add %6, %9
    continue[0] %10
  }
  return %4
}
