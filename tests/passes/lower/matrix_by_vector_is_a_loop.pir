; pass: lower
; count: matmul = 0
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1.0, -1.0]) = [-1.0, -1.0]
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1.0]) raises ValueError
func @f array fast (%0: array<f64, 2>, %1: array<f64, 1>) -> (array<f64, 1>) {
  %2: array<f64, 1> = matmul %0, %1
  return %2
}
