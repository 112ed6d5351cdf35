; pass: lower
; run: @f([1.0, 2.0], -1) = 2.0
; run: @f([1.0, 2.0], -2) = 1.0
; run: @f([1.0, 2.0], -3) raises IndexError
; run: @f([1.0, 2.0], 2) raises IndexError
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: f64 = load %0, %1 !r m0
  return %2
}
