; Reading what nobody writes is free.
; pass: prove-pfor
; run: @f([1.0, 2.0, 4.0], [0.0, 0.0, 0.0]) = [0.0, 5.0, 0.0]
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: i64 = sub %3, %2
  pfor %2, %4, %2 !r m0 !w m0 {
  (%5: i64):
    %6: i64 = sub %5, %2
    %7: i64 = add %5, %2
    %8: f64 = load %0, %6 !r m0
    %9: f64 = load %0, %7 !r m0
    %10: f64 = add %8, %9
    store %1, %10, %5 !w m0
    continue[0]
  }
  return %1
}
