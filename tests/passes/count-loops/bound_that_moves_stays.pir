; The other end comes nearer.
; pass: count-loops
; count: for = 0
; run: @f(9) = 5
func @f array (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %last: i64, %end: i64 = loop %zero, %n {
  (%i: i64, %m: i64):
    %more: bool = lt %i, %m
    if %more {
      yield
    } else {
      break[0] %i, %m
    }
    %next: i64 = add %i, %one
    %less: i64 = sub %m, %one
    continue[0] %next, %less
  }
  return %last
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64, %4: i64 = loop %1, %0 {
  (%5: i64, %6: i64):
    %7: bool = lt %5, %6
    if %7 {
      yield
    } else {
      break[0] %5, %6
    }
    %8: i64 = add %5, %2
    %9: i64 = sub %6, %2
    continue[0] %8, %9
  }
  return %3
}
