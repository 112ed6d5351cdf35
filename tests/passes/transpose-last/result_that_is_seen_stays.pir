; Somebody else has the matrix, in the order that it has.
; pass: transpose-last
; count: transpose = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 3.0, [1.0, 1.0]) = [[3.0, 12.0], [6.0, 24.0]], [15.0, 30.0]
func @f array fast (%a: array<f64, 2>, %s: f64, %x: array<f64, 1>) -> (array<f64, 2>, array<f64, 1>) {
  %t: array<f64, 2> = transpose[1, 0] %a
  %u: array<f64, 2> = mul %s, %t
  %y: array<f64, 1> = matmul %u, %x
  return %u, %y
}
