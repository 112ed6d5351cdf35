; pass: cse
; count: time = 2
func @f array () -> (f64) {
  %0: f64 = time
  %1: f64 = time
  %2: f64 = sub %1, %0
  return %2
}
; ---- after
func @f array () -> (f64) {
  %0: f64 = time
  %1: f64 = time
  %2: f64 = sub %1, %0
  return %2
}
