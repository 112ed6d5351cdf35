; pass: check-races
; count: view = 6
; count: zeros = 4
; run: @f([[1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]]) = [[1.0, 2.0], [3.0, 4.0]]
func @f array (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0) -> (array<f64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  pfor %2, %4, %3 !r m0 !w m0 {
  (%5: i64):
    %6: array<f64, 1> in m0 = view[at] %0, %5
    %7: array<f64, 1> in m0 = view[at] %1, %5
    assign %7, %6 !r m0 !w m0
    continue[0]
  }
  return %1
}
