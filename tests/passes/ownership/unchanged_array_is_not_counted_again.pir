; pass: ownership
; count: own in loops = 0
; run: @f(2, 3) = [0.0, 0.0]
func @f loop (%0: i64, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> = zeros %0
  %5: array<f64, 1> = for %2, %1, %3, %4 {
  (%6: i64, %7: array<f64, 1>):
    continue[0] %7
  }
  return %5
}
