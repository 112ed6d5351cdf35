; pass: lower, ownership
; count: own = 1
; run: @f(2) = [0.0, 0.0]
func @f array (%0: i64) -> (array<f64, 1>) {
  %1: array<f64, 1> in m0 = zeros %0
  return %1
}
