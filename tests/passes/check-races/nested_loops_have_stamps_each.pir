; pass: check-races
; count: zeros = 4
; count: zeros in loops = 2
; run: @f([[0.0, 0.0], [0.0, 0.0]]) = [[1.0, 1.0], [1.0, 1.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 1.0
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  pfor %1, %4, %2 !w m0 {
  (%6: i64):
    pfor %1, %5, %2 !w m0 {
    (%7: i64):
      store %0, %3, %6, %7 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
