; pass: lower
; count: matmul = 1
; run: @f([[1.0, 2.0]], [[3.0], [4.0]]) = [[11.0]]
; run: @f([[1.0, 2.0]], [[3.0]]) raises ValueError
func @f array (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0) -> (array<f64, 2>) {
  %2: array<f64, 2> in m1 = matmul %0, %1 !r m0
  return %2
}
