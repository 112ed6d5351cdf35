; pass: lower
; count: empty = 0
; run: @f([1.0, 2.0], [0.0, 0.0]) = [1.0, 2.0]
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  assign %1, %0 !r m0 !w m1
  return %1
}
