; pass: lower
; count: matmul = 1
; count: for = 3
; count: if = 0
; run: @f([[[1.0, 2.0]], [[3.0, 4.0]]], [[1.0], [-1.0]]) = [[[-1.0]], [[-1.0]]]
func @f array fast (%0: array<f64, 3>, %1: array<f64, 2>) -> (array<f64, 3>) {
  %2: array<f64, 3> = copy %0
  %3: array<f64, 3> = matmul %2, %1
  return %3
}
