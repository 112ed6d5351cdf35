; pass: lower
; count: check = 2
; run: @f([3.0, 1.0, 2.0]) = 1.0, 1
; run: @f([3.0, nan, 2.0]) = nan, 1
; run: @f([]) raises ValueError
func @f array (%0: array<f64, 1>) -> (f64, i64) {
  %1: f64 = reduce[min] %0
  %2: i64 = reduce[argmin] %0
  return %1, %2
}
