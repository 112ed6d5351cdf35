; pass: prove-pfor
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[2.0, 2.0], [4.0, 4.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 1.0
  %4: i64 = const -1
  %5: i64 = dim[0] %0
  pfor %1, %5, %2 !r m0 !w m0 {
  (%6: i64):
    %7: array<f64, 1> in m0 = view[at] %0, %6
    %8: f64 = load %7, %1 !r m0
    %9: f64 = add %8, %3
    store %7, %9, %1 !w m0
    store %7, %9, %4 !w m0
    continue[0]
  }
  return %0
}
