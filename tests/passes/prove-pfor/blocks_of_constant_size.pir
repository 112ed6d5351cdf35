; pass: prove-pfor
; run: @f([0.0, 0.0, 0.0, 0.0], 2) = [1.0, 1.0, 1.0, 1.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 1.0
  pfor %2, %1, %3 !w m0 {
  (%6: i64):
    for %2, %4, %3 !w m0 {
    (%7: i64):
      %8: i64 = mul %6, %4
      %9: i64 = add %8, %7
      store %0, %5, %9 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
