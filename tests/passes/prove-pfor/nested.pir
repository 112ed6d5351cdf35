; pass: prove-pfor
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[2.0, 4.0], [6.0, 8.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 2.0
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  pfor %1, %4, %2 !r m0 !w m0 {
  (%6: i64):
    pfor %1, %5, %2 !r m0 !w m0 {
    (%7: i64):
      %8: f64 = load %0, %6, %7 !r m0
      %9: f64 = mul %8, %3
      store %0, %9, %6, %7 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
