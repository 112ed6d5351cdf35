; pass: lower
; count: empty = 0
; run: @f([1.0, 2.0], [3.0, 4.0]) = [3.0, 4.0]
; run: @f([1.0, 2.0], [3.0]) = [3.0, 3.0]
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0]) raises ValueError
func @f array fast (%0: array<f64, 1>, %1: array<f64, 1>) -> (array<f64, 1>) {
  assign %0, %1
  return %0
}
