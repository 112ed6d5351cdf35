; pass: cse
; count: sub = 2
; run: @f(3.0, 1.0) = 2.0, -2.0
func @f array (%0: f64, %1: f64) -> (f64, f64) {
  %2: f64 = sub %0, %1
  %3: f64 = sub %1, %0
  return %2, %3
}
; ---- after
func @f array (%0: f64, %1: f64) -> (f64, f64) {
  %2: f64 = sub %0, %1
  %3: f64 = sub %1, %0
  return %2, %3
}
