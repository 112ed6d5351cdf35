; pass: fuse
; count: map = 0
; run: @f([1.0]) = [2.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  return %2
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  return %2
}
