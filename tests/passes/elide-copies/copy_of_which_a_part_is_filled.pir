; pass: elide-copies
; count: copy = 1
; run: @f([1.0, 2.0], 2.0) = [1.0, 4.0]
func @f array fast (%0: array<f64, 1> in m0, %1: f64) -> (array<f64, 1>) {
  %2: array<f64, 1> in m1 = copy %0 !r m0
  %3: i64 = const 1
  %4: array<f64, 1> in m1 = view[start:] %2, %3
  %5: array<f64, 1> in m2 = add %4, %1 !r m1
  assign %4, %5 !r m2 !w m1
  return %2
}
