; The jump counts the scope.
; pass: canonicalize
; count: scope = 1
; run: @f(5) = 3
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 3
  %4: i64 = for %1, %0, %2, %1 {
  (%5: i64, %6: i64):
    %7: bool = ge %5, %3
    %8: i64 = scope {
      if %7 {
        break[1] %6
      } else {
        yield
      }
      %9: i64 = add %6, %2
      break[0] %9
    }
    continue[0] %8
  }
  return %4
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 3
  %4: i64 = for %1, %0, %2, %1 {
  (%5: i64, %6: i64):
    %7: bool = ge %5, %3
    %8: i64 = scope {
      if %7 {
        break[1] %6
      } else {
        yield
      }
      %9: i64 = add %6, %2
      break[0] %9
    }
    continue[0] %8
  }
  return %4
}
