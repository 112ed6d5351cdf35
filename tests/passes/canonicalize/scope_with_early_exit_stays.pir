; pass: canonicalize
; count: scope = 1
; run: @f(2) = 4
; run: @f(-2) = 0
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: bool = lt %0, %1
  %3: i64 = scope {
    if %2 {
      break[0] %1
    } else {
      yield
    }
    %4: i64 = mul %0, %0
    break[0] %4
  }
  return %3
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: bool = lt %0, %1
  %3: i64 = scope {
    if %2 {
      break[0] %1
    } else {
      yield
    }
    %4: i64 = mul %0, %0
    break[0] %4
  }
  return %3
}
