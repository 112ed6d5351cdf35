; pass: split-reductions
; count: pfor = 0
func @f array fast (%0: array<f64, 2> in m0) -> (f64) {
  %1: f64 = reduce[sum] %0 !r m0
  return %1
}
