; pass: prove-pfor
; run: @f([1.0, 2.0]) = [2.0, 4.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 2.0
  %4: i64 = dim[0] %0
  pfor %1, %4, %2 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load %0, %5 !r m0
    %7: f64 = mul %6, %3
    store %0, %7, %5 !w m0
    continue[0]
  }
  return %0
}
