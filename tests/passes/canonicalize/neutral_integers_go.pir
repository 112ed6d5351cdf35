; pass: canonicalize
; count: add = 0
; count: mul = 0
; count: sub = 0
; run: @f(5) = 5
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = add %0, %1
  %4: i64 = mul %2, %3
  %5: i64 = sub %4, %1
  return %5
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  return %0
}
