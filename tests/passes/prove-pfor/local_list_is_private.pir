; pass: prove-pfor
; run: @f([0.0, 0.0]) = [2.0, 2.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 1.0
  %4: i64 = dim[0] %0
  pfor %1, %4, %2 !r m1 !w m0|m1 {
  (%5: i64):
    %6: list<f64> in m1 = list_new %3
    list_append %6, %3 !w m1
    %7: i64 = list_len %6 !r m1
    %8: f64 = cast %7
    store %0, %8, %5 !w m0
    continue[0]
  }
  return %0
}
