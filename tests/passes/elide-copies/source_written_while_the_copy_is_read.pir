; pass: elide-copies
; count: copy = 1
; run: @f([1.0, 2.0]) = 1.0
func @f array fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: array<f64, 1> in m1 = copy %0 !r m0
  %2: i64 = const 0
  %3: f64 = const 5.0
  store %0, %3, %2 !w m0
  %4: f64 = load %1, %2 !r m1
  return %4
}
