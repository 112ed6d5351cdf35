; pass: prove-pfor
; run: @f([1.0, 2.0], [0.0, 0.0]) = [2.0, 4.0]
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  %5: i64 = dim[0] %0
  pfor %2, %5, %3 !r m0 !w m0 {
  (%6: i64):
    %7: f64 = load %0, %6 !r m0
    %8: f64 = mul %7, %4
    store %1, %8, %6 !w m0
    continue[0]
  }
  return %1
}
