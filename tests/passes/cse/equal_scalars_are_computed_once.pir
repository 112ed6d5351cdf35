; pass: cse
; count: mul = 1
; run: @f(3.0) = 18.0
func @f array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  %2: f64 = mul %0, %0
  %3: f64 = add %1, %2
  return %3
}
; ---- after
func @f array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  %2: f64 = add %1, %1
  return %2
}
