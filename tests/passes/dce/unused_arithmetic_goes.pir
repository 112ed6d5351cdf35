; pass: dce
; count: mul = 0
; count: add = 0
; run: @f(2.0) = 2.0
func @f array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  %2: f64 = add %1, %0
  return %0
}
; ---- after
func @f array (%0: f64) -> (f64) {
  return %0
}
