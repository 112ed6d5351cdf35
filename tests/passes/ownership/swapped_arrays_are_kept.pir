; pass: lower, ownership
; count: own >= 2
; run: @f(3) = [1.0], [0.0]
; run: @f(2) = [0.0], [1.0]
func @f array (%0: i64) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = const 1
  %2: f64 = const 1.0
  %3: i64 = const 0
  %4: array<f64, 1> in m0 = zeros %1
  %5: array<f64, 1> in m1 = full %2, %1
  %6: array<f64, 1> in m0|m1, %7: array<f64, 1> in m0|m1 = for %3, %0, %1, %4, %5 {
  (%8: i64, %9: array<f64, 1> in m0|m1, %10: array<f64, 1> in m0|m1):
    continue[0] %10, %9
  }
  return %6, %7
}
