; The offset is computed in the body, but is the same in all iterations.
; pass: prove-pfor
; run: @f([0.0, 0.0, 0.0], [1, 5]) = [0.0, 1.0, 1.0]
func @f array (%0: array<f64, 1> in m0, %1: array<i64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 2
  %4: i64 = const 1
  %5: f64 = const 1.0
  pfor %2, %3, %4 !r m0 !w m0 {
  (%6: i64):
    %7: i64 = load %1, %2 !r m0
    %8: i64 = max %7, %2
    %9: i64 = add %6, %8
    store %0, %5, %9 !w m0
    continue[0]
  }
  return %0
}
