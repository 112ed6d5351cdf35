; What has no root is on neither side.
; pass: compare-squares
; count: sqrt = 0
; run: @f(9.0) = true, false
; run: @f(9.5) = false, true
; run: @f(-1.0) = false, false
; run: @f(-0.0) = true, false
; run: @f(nan) = false, false
func @f loop (%x: f64) -> (bool, bool) {
  %bound: f64 = const 3.0
  %a: f64 = sqrt %x
  %le: bool = le %a, %bound
  %b: f64 = sqrt %x
  %gt: bool = gt %b, %bound
  return %le, %gt
}
