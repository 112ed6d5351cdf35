; `a[n - 1 - i]`.
; pass: prove-pfor
; run: @f([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]) = [3.0, 2.0, 1.0]
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  pfor %2, %4, %3 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load %0, %5 !r m0
    %7: i64 = sub %4, %3
    %8: i64 = sub %7, %5
    store %1, %6, %8 !w m0
    continue[0]
  }
  return %1
}
