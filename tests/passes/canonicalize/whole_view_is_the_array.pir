; pass: canonicalize
; run: @f([[1.0, 2.0]]) = [[2.0, 4.0]]
func @f array fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: array<f64, 2> in m0 = view[:] %0
  %2: array<f64, 2> in m0 = view[:, :] %1
  %3: array<f64, 2> in m1 = add %1, %2 !r m0
  assign %2, %3 !r m1 !w m0
  return %0
}
; ---- after
func @f array fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: array<f64, 2> in m0 = view[:] %0
  %2: array<f64, 2> in m0 = view[:, :] %1
  %3: array<f64, 2> in m1 = add %0, %0 !r m0
  assign %0, %3 !r m1 !w m0
  return %0
}
