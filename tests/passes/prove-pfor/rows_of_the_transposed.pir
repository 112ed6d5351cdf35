; pass: prove-pfor
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[0.0, 0.0], [1.0, 1.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: array<f64, 2> in m0 = transpose[1, 0] %0
  %4: i64 = dim[1] %3
  pfor %1, %4, %2 !w m0 {
  (%5: i64):
    %6: f64 = cast %5
    %7: array<f64, 1> in m0 = view[:, at] %3, %5
    assign %7, %6 !w m0
    continue[0]
  }
  return %0
}
