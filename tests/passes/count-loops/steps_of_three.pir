; The last number is the first one from the bound on.
; pass: count-loops
; count: for = 1
; run: @f(9) = 11
; run: @f(8) = 8
; run: @f(-5) = 2
func @f array (%n: i64) -> (i64) {
  %two: i64 = const 2
  %three: i64 = const 3
  %last: i64 = loop %two {
  (%i: i64):
    %more: bool = gt %n, %i
    if %more {
      yield
    } else {
      break[0] %i
    }
    %next: i64 = add %i, %three
    continue[0] %next
  }
  return %last
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 2
  %2: i64 = const 3
  %3: i64 = const 3
  %4: i64 = max %1, %0
  %5: i64 = sub %4, %1
  %6: i64 = floordiv %5, %3
  %7: i64 = mul %6, %3
  %8: bool = ne %7, %5
  %9: i64 = add %1, %7
  %10: i64 = add %9, %3
  %11: i64 = select %8, %10, %9
  for %1, %0, %3 {
  (%12: i64):
    %13: bool = gt %0, %12
    %14: i64 = add %12, %2
    continue[0]
  }
  return %11
}
