; What is read lies behind all that is written.
; pass: prove-pfor
; run: @f([1.0, 2.0, 3.0, 4.0], 2) = [4.0, 6.0, 3.0, 4.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor %2, %1, %3 !r m0 !w m0 {
  (%4: i64):
    %5: i64 = add %4, %1
    %6: f64 = load %0, %4 !r m0
    %7: f64 = load %0, %5 !r m0
    %8: f64 = add %6, %7
    store %0, %8, %4 !w m0
    continue[0]
  }
  return %0
}
