; pass: canonicalize
; count: zeros = 1
; run: @f(-1) raises ValueError
func @f array (%0: i64) -> (i64) {
  %1: array<f64, 1> in m0 = zeros %0
  %2: i64 = dim[0] %1
  return %2
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: array<f64, 1> in m0 = zeros %0
  return %0
}
