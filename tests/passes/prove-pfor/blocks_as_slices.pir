; pass: prove-pfor
; run: @f([0.0, 0.0, 0.0, 0.0, 0.0], 2) = [0.0, 0.0, 1.0, 1.0, 0.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  pfor %2, %1, %3 !w m0 {
  (%5: i64):
    %6: i64 = mul %5, %4
    %7: i64 = add %5, %3
    %8: i64 = mul %7, %4
    %9: array<f64, 1> in m0 = view[start:stop] %0, %6, %8
    %10: f64 = cast %5
    assign %9, %10 !w m0
    continue[0]
  }
  return %0
}
