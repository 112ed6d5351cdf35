; `a[-1 - i]` counts from the end in all iterations.
; pass: prove-pfor
; run: @f([0.0, 0.0], 2) = [1.0, 0.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const -1
  pfor %2, %1, %3 !w m0 {
  (%5: i64):
    %6: f64 = cast %5
    %7: i64 = sub %4, %5
    store %0, %6, %7 !w m0
    continue[0]
  }
  return %0
}
