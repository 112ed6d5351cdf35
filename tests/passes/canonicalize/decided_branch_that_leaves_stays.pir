; pass: canonicalize
; count: if = 1
; run: @f() = 7
func @f array () -> (i64) {
  %0: bool = const true
  %1: i64 = const 7
  %2: i64 = const 8
  %3: i64 = if %0 {
    return %1
  } else {
    yield %2
  }
  return %3
}
; ---- after
func @f array () -> (i64) {
  %0: bool = const true
  %1: i64 = const 7
  %2: i64 = const 8
  if %0 {
    return %1
  } else {
    yield
  }
  return %2
}
