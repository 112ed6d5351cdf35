; pass: ownership
; count: disown = 0
; run: @f(2) = [0.0, 0.0]
func @f loop (%0: i64) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 8
  %3: array<f64, 1> = zeros %0
  %4: array<f64, 1> = raw_view %3, %1, %0, %2
  return %4
}
