; pass: split-reductions
; count: pfor = 0
func @f array fast (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: array<f64, 1> in m1 = reduce[sum axes 1] %0 !r m0
  return %1
}
