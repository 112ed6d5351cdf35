; pass: drop-unused
; count: sqrt = 0
; count: neg = 1
; run: @f(2.0) = -2.0
export "f"("x": f64) -> f64 = @f
func @unreached array (%0: f64) -> (f64) {
  %1: f64 = sqrt %0
  return %1
}
func @callee array (%0: f64) -> (f64) {
  %1: f64 = neg %0
  return %1
}
func @f array (%0: f64) -> (f64) {
  %1: f64 = call[@callee] %0
  return %1
}
