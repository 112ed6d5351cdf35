; pass: canonicalize
; count: scope = 0
; run: @f(2) = 4
func @f array (%0: i64) -> (i64) {
  %1: i64 = scope {
    %2: i64 = mul %0, %0
    break[0] %2
  }
  return %1
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = mul %0, %0
  return %1
}
