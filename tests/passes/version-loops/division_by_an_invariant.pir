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
; ---- after
func @f loop fast (%0: i64, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 0
  %5: bool = lt %1, %4
  %6: i64 = const 1
  %7: bool = le %6, %1
  %8: bool = or %5, %7
  %9: i64 = if %8 {
    %10: i64 = for %2, %0, %3, %2 {
    (%11: i64, %12: i64):
      %13: i64 = const 0
      %14: bool = ne %1, %13
      %15: i64 = floordiv %11, %1
      %16: i64 = add %12, %15
      continue[0] %16
    }
    yield %10
  } else {
    %17: i64 = for %2, %0, %3, %2 {
    (%18: i64, %19: i64):
      %20: i64 = const 0
      %21: bool = ne %1, %20
      check[ZeroDivisionError, "integer division or modulo by zero"] %21
      %22: i64 = floordiv %18, %1
      %23: i64 = add %19, %22
      continue[0] %23
    }
    yield %17
  }
  return %9
}
