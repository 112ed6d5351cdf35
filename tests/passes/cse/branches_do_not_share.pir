; Neither branch has run for certain behind the `if`.
; pass: cse
; count: mul = 3
; run: @f(3, True) = 9, 9
func @f array (%0: i64, %1: bool) -> (i64, i64) {
  %2: i64 = if %1 {
    %3: i64 = mul %0, %0
    yield %3
  } else {
    %4: i64 = mul %0, %0
    yield %4
  }
  %5: i64 = mul %0, %0
  return %2, %5
}
; ---- after
func @f array (%0: i64, %1: bool) -> (i64, i64) {
  %2: i64 = if %1 {
    %3: i64 = mul %0, %0
    yield %3
  } else {
    %4: i64 = mul %0, %0
    yield %4
  }
  %5: i64 = mul %0, %0
  return %2, %5
}
