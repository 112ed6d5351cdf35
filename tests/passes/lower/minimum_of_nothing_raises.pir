; pass: lower
; count: check = 1
; run: @f([2.0, 1.0]) = 1.0
; run: @f([nan, 1.0]) = nan
; run: @f([]) raises ValueError
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = reduce[min] %0 !r m0
  return %1
}
