; pass: lower
; count: empty = 1
; run: @f([1.0, 2.0], [3.0, 4.0]) = [3.0, 4.0]
func @f array general (%0: array<f64, 1>, %1: array<f64, 1>) -> (array<f64, 1>) {
  assign %0, %1
  return %0
}
