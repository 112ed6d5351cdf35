; pass: prove-pfor
; run: @f([[1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]]) = [[2.0, 4.0], [6.0, 8.0]]
func @f array (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0) -> (array<f64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  %5: i64 = dim[0] %0
  pfor %2, %5, %3 !r m0|m1 !w m0 {
  (%6: i64):
    %7: array<f64, 1> in m0 = view[at, :] %0, %6
    %8: array<f64, 1> in m0 = view[at, :] %1, %6
    %9: array<f64, 1> in m1 = mul %7, %4 !r m0
    assign %8, %9 !r m1 !w m0
    continue[0]
  }
  return %1
}
