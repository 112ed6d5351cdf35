; `out[i * m + j]` with j in range(m).
; pass: prove-pfor
; run: @f([[1.0, 2.0], [3.0, 4.0]], [0.0, 0.0, 0.0, 0.0]) = [1.0, 2.0, 3.0, 4.0]
func @f array (%0: array<f64, 2> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  pfor %2, %4, %3 !r m0 !w m0 {
  (%6: i64):
    for %2, %5, %3 !r m0 !w m0 {
    (%7: i64):
      %8: f64 = load %0, %6, %7 !r m0
      %9: i64 = mul %6, %5
      %10: i64 = add %9, %7
      store %1, %8, %10 !w m0
      continue[0]
    }
    continue[0]
  }
  return %1
}
