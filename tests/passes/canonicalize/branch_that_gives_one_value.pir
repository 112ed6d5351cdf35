; Both ways give what was there before.
; pass: canonicalize, dce
; count: if = 1
; run: @f(true, 2, 3) = 2, 1
; run: @f(false, 2, 3) = 2, 3
func @f loop fast (%c: bool, %x: i64, %y: i64) -> (i64, i64) {
  %one: i64 = const 1
  %same: i64, %k: i64 = if %c {
    yield %x, %one
  } else {
    %too: i64 = const 1
    yield %x, %too
  }
  %other: i64 = if %c {
    yield %k
  } else {
    yield %y
  }
  return %same, %other
}
; ---- after
func @f loop fast (%0: bool, %1: i64, %2: i64) -> (i64, i64) {
  %3: i64 = const 1
  %4: i64 = if %0 {
    yield %3
  } else {
    yield %2
  }
  return %1, %4
}
