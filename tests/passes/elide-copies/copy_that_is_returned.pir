; pass: elide-copies
; count: copy = 1
; run: @f([1.0, 2.0]) = [1.0, 2.0]
func @f array fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: array<f64, 1> in m1 = copy %0 !r m0
  return %1
}
