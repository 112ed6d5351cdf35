; pass: lower
; count: for = 1
; count: if = 0
; run: @f([1.0, 2.0], [3.0, 4.0]) = [4.0, 6.0]
; run: @f([1.0], [3.0, 4.0]) = [4.0, 5.0]
func @f array general (%0: array<f64, 1>, %1: array<f64, 1>) -> (array<f64, 1>) {
  %2: array<f64, 1> = add %0, %1
  return %2
}
