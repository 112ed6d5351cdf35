; pass: prove-pfor
; run: @f([1.0, 2.0], [0.0, 0.0]) = [1.0, 2.0]
func @f array (%0: list<f64> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = list_len %0 !r m0
  pfor %2, %4, %3 !r m0 !w m1 {
  (%5: i64):
    %6: f64 = list_get %0, %5 !r m0
    store %1, %6, %5 !w m1
    continue[0]
  }
  return %1
}
