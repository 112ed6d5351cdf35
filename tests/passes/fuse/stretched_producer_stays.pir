; Each element of `b` would be computed once for each row.
; pass: fuse
; count: map = 0
; run: @f([1.0, 2.0], [[1.0, 1.0], [2.0, 2.0]]) = [[3.0, 4.0], [4.0, 5.0]]
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 2> in m0) -> (array<f64, 2>) {
  %2: f64 = const 1.0
  %3: array<f64, 1> in m1 = add %0, %2 !r m0
  %4: array<f64, 2> in m2 = add %3, %1 !r m0|m1
  return %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 2> in m0) -> (array<f64, 2>) {
  %2: f64 = const 1.0
  %3: array<f64, 1> in m1 = add %0, %2 !r m0
  %4: array<f64, 2> in m2 = add %3, %1 !r m0|m1
  return %4
}
