; The second axis is enough.
; pass: prove-pfor
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[5.0, 5.0], [5.0, 5.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 5.0
  %4: i64 = dim[1] %0
  pfor %1, %4, %2 !w m0 {
  (%5: i64):
    %6: array<f64, 1> in m0 = view[:, at] %0, %5
    assign %6, %3 !w m0
    continue[0]
  }
  return %0
}
