; From the greatest number on it would go around.
; pass: count-loops
; count: for = 0
; run: @f(4, 9) = 10
func @f array (%start: i64, %n: i64) -> (i64) {
  %one: i64 = const 1
  %last: i64 = loop %start {
  (%i: i64):
    %more: bool = le %i, %n
    if %more {
      yield
    } else {
      break[0] %i
    }
    %next: i64 = add %i, %one
    continue[0] %next
  }
  return %last
}
; ---- after
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: i64 = const 1
  %3: i64 = loop %0 {
  (%4: i64):
    %5: bool = le %4, %1
    if %5 {
      yield
    } else {
      break[0] %4
    }
    %6: i64 = add %4, %2
    continue[0] %6
  }
  return %3
}
