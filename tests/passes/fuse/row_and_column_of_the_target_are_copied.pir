; pass: fuse
; count: map = 1
; count: copy = 2
; count: assign = 0
; run: @f([[0.0, 5.0], [1.0, 0.0]], 0) = [[0.0, 5.0], [1.0, 0.0]]
func @f array fast (%0: array<f64, 2> in m0, %1: i64) -> (array<f64, 2>) {
  %2: array<f64, 2> in m0 = view[:, at, new] %0, %1
  %3: array<f64, 1> in m0 = view[at, :] %0, %1
  %4: array<f64, 2> in m1 = add %2, %3 !r m0
  %5: array<f64, 2> in m2 = min %0, %4 !r m0|m1
  assign %0, %5 !r m2 !w m0
  return %0
}
