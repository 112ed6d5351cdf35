; NaN differs from itself.
; pass: canonicalize
; count: eq = 1
; run: @f(nan) = False
; run: @f(1.0) = True
func @f array (%0: f64) -> (bool) {
  %1: bool = eq %0, %0
  return %1
}
; ---- after
func @f array (%0: f64) -> (bool) {
  %1: bool = eq %0, %0
  return %1
}
