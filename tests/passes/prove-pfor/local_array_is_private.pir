; pass: prove-pfor
; run: @f([0.0, 0.0]) = [1.0, 2.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: f64 = const 1.0
  %5: i64 = dim[0] %0
  pfor %1, %5, %2 !r m1 !w m0|m1 {
  (%6: i64):
    %7: array<f64, 1> in m1 = zeros %3
    %8: f64 = cast %6
    store %7, %8, %1 !w m1
    store %7, %4, %2 !w m1
    %9: f64 = reduce[sum] %7 !r m1
    store %0, %9, %6 !w m0
    continue[0]
  }
  return %0
}
