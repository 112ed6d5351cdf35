; pass: lower
; run: @f(-0.0) = inf
func @f array (%0: array<f64, 0>) -> (f64) {
  %1: f64 = reduce[sum] %0
  %2: f64 = const 1.0
  %3: f64 = div %2, %1
  return %3
}
