; pass: prove-pfor
; run: @f([0.0, 0.0, 0.0, 0.0, 0.0]) = [1.0, 1.0, 1.0, 1.0, 1.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 2
  %3: i64 = const 1
  %4: f64 = const 1.0
  %5: i64 = dim[0] %0
  pfor %1, %5, %2 !w m0 {
  (%6: i64):
    %7: i64 = add %6, %2
    %8: i64 = min %7, %5
    for %6, %8, %3 !w m0 {
    (%9: i64):
      store %0, %4, %9 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
