; One that is used otherwise, one of float32, one whose bound is not known, one whose bound has no square.
; pass: compare-squares
; count: abs = 2
; count: sqrt = 2
; run: @f(3.0, 4.0, 9.0, 2.0) = false, 5.0, true, false, true
func @f loop (%re: f64, %im: f64, %x: f64, %bound: f64) -> (bool, f64, bool, bool, bool) {
  %z: c128 = complex %re, %im
  %two: f64 = const 2.0
  %small: f32 = const 2.0
  %tiny: f64 = const 1e-200
  %a: f64 = abs %z
  %used: bool = le %a, %two
  %z32: c64 = cast %z
  %b: f32 = abs %z32
  %short: bool = gt %b, %small
  %c: f64 = sqrt %x
  %unknown: bool = lt %c, %bound
  %d: f64 = sqrt %x
  %vanishes: bool = gt %d, %tiny
  return %used, %a, %short, %unknown, %vanishes
}
