; pass: elide-copies
; count: copy = 1
func @f array fast (%0: array<f64, 2> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m0 = view[:, at] %0, %2
  %5: array<f64, 1> in m1 = copy %4 !r m0
  %6: f64 = const 0.0
  %7: f64 = for %2, %1, %3, %6 !r m1 {
  (%8: i64, %9: f64):
    %10: f64 = reduce[sum] %5 !r m1
    %11: f64 = add %9, %10
    continue[0] %11
  }
  return %7
}
