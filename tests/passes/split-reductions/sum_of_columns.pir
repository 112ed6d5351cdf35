; pass: split-reductions
; count: if = 2
; count: pfor = 1
; count: reduce = 2
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [4.0, 6.0]
; run: @f([[1.0, 2.0]]) = [1.0, 2.0]
func @f array fast (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: array<f64, 1> in m1 = reduce[sum axes 0] %0 !r m0
  return %1
}
