; pass: lower, ownership
; count: own >= 2
; run: @f([1.0, 2.0], 3) = [8.0, 16.0]
; run: @f([1.0, 2.0], 0) = [1.0, 2.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m0|m1 = for %2, %1, %3, %0 !r m0|m1 {
  (%5: i64, %6: array<f64, 1> in m0|m1):
    %7: array<f64, 1> in m1 = add %6, %6 !r m0|m1
    continue[0] %7
  }
  return %4
}
