; pass: fuse
; count: map = 0
; run: @f([1.0, 2.0]) = [2.0, 3.0], 5.0
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>, f64) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: f64 = reduce[sum] %2 !r m1
  return %2, %3
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>, f64) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: f64 = reduce[sum] %2 !r m1
  return %2, %3
}
