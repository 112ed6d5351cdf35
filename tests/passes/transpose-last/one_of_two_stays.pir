; The elements of one are not where those of the other are.
; pass: transpose-last
; count: transpose = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], [[1.0, 1.0], [0.0, 1.0]], [1.0, 1.0]) = [7.0, 11.0]
func @f array fast (%a: array<f64, 2>, %b: array<f64, 2>, %x: array<f64, 1>) -> (array<f64, 1>) {
  %t: array<f64, 2> = transpose[1, 0] %a
  %u: array<f64, 2> = add %t, %b
  %y: array<f64, 1> = matmul %u, %x
  return %y
}
