; pass: compare-squares
; count: abs = 0
; count: isinf = 2
; run: @f(0.0, 2.0) = true, false, false, true
; run: @f(3.0, 4.0) = false, false, true, true
; run: @f(1.0, 1.0) = true, true, false, false
; run: @f(inf, nan) = false, false, true, true
; run: @f(nan, 0.0) = false, false, false, false
func @f loop (%x: f64, %y: f64) -> (bool, bool, bool, bool) {
  %z: c128 = complex %x, %y
  %bound: f64 = const 2.0
  %a: f64 = abs %z
  %le: bool = le %a, %bound
  %b: f64 = abs %z
  %lt: bool = lt %b, %bound
  %c: f64 = abs %z
  %gt: bool = gt %c, %bound
  %d: f64 = abs %z
  %ge: bool = le %bound, %d
  return %le, %lt, %gt, %ge
}
