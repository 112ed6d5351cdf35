; It is looked at, not compiled.
; pass: drop-unused
; count: sub = 1
func @unused array (%0: f64) -> (f64) {
  %1: f64 = sub %0, %0
  return %1
}
; ---- after
func @unused array (%0: f64) -> (f64) {
  %1: f64 = sub %0, %0
  return %1
}
