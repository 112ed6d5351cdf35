; pass: fuse
; count: map = 0
; run: @f([1.0, 2.0], [[1.0, 1.0], [2.0, 2.0]]) = [[3.0, 3.0], [5.0, 5.0]]
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 2> in m0) -> (array<f64, 2>) {
  %2: f64 = const 1.0
  %3: array<f64, 2> in m0 = view[:, new] %0
  %4: array<f64, 2> in m1 = add %3, %2 !r m0
  %5: array<f64, 2> in m2 = add %4, %1 !r m0|m1
  return %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 2> in m0) -> (array<f64, 2>) {
  %2: f64 = const 1.0
  %3: array<f64, 2> in m0 = view[:, new] %0
  %4: array<f64, 2> in m1 = add %3, %2 !r m0
  %5: array<f64, 2> in m2 = add %4, %1 !r m0|m1
  return %5
}
