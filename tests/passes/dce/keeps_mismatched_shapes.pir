; pass: dce
; count: add = 1
; run: @f([1.0, 2.0], [1.0, 2.0, 3.0]) raises ValueError
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> () {
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  return
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> () {
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  return
}
