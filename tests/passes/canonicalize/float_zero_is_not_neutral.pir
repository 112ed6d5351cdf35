; -0.0 + 0.0 is 0.0.
; pass: canonicalize
; count: add = 1
; run: @f(-0.0) = 0.0
func @f array (%0: f64) -> (f64) {
  %1: f64 = const 0.0
  %2: f64 = add %0, %1
  return %2
}
; ---- after
func @f array (%0: f64) -> (f64) {
  %1: f64 = const 0.0
  %2: f64 = add %0, %1
  return %2
}
