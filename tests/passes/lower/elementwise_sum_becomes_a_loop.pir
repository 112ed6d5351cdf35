; One loop for equal lengths, and one in which a length of 1 is stretched.
; pass: lower
; count: add >= 1
; count: load_raw in loops = 4
; count: store_raw in loops = 2
; count: check = 1
; run: @f([1.0, 2.0], [3.0, 4.0]) = [4.0, 6.0]
; run: @f([1.0, 2.0], [3.0]) = [4.0, 5.0]
; run: @f([], []) = []
; run: @f([1.0, 2.0], [1.0, 2.0, 3.0]) raises ValueError
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  return %2
}
