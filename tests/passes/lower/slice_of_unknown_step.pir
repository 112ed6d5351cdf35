; pass: lower
; count: check = 1
; run: @f([1.0, 2.0, 3.0, 4.0], 1) = [1.0, 2.0, 3.0, 4.0]
; run: @f([1.0, 2.0, 3.0, 4.0], -3) = [4.0, 1.0]
; run: @f([1.0, 2.0, 3.0, 4.0], 9) = [1.0]
; run: @f([], -1) = []
; run: @f([1.0], -9223372036854775808) = [1.0]
; run: @f([1.0], 0) raises ValueError
func @f array (%0: array<f64, 1>, %1: i64) -> (array<f64, 1>) {
  %2: array<f64, 1> = view[::step] %0, %1
  return %2
}
