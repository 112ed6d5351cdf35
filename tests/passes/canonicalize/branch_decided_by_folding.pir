; pass: canonicalize
; count: if = 0
; run: @f(2) = 1
func @f array (%0: i64) -> (i64) {
  %1: bool = const true
  %2: i64 = const 5
  %3: i64 = const 6
  %4: i64 = const 1
  %5: bool = ge %0, %0
  %6: bool = not %5
  %7: i64 = if %6 {
    %8: i64 = if %1 {
      yield %2
    } else {
      yield %3
    }
    yield %8
  } else {
    yield %4
  }
  return %7
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: bool = const true
  %2: i64 = const 5
  %3: i64 = const 6
  %4: i64 = const 1
  %5: bool = const true
  %6: bool = const false
  return %4
}
