; pass: lower
; count: check = 0
; run: @f([1.0, 2.0]) = [2.0, 6.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: array<f64, 1> in m1 = mul %0, %0 !r m0
  %2: array<f64, 1> in m2 = add %1, %0 !r m0|m1
  return %2
}
