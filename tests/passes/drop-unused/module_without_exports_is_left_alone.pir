; pass: drop-unused
; count: neg = 1
func @f array (%0: f64) -> (f64) {
  %1: f64 = neg %0
  return %1
}
