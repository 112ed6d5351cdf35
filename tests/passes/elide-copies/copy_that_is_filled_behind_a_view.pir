; pass: elide-copies
; count: copy = 1
; run: @f([[1.0, 2.0]], 2.0) = [[3.0], [4.0]]
func @f array fast (%0: array<f64, 2> in m0, %1: f64) -> (array<f64, 2>) {
  %2: array<f64, 2> in m1 = copy %0 !r m0
  %3: array<f64, 2> in m1 = transpose[1, 0] %2
  %4: array<f64, 2> in m2 = add %2, %1 !r m1
  assign %2, %4 !r m2 !w m1
  return %3
}
