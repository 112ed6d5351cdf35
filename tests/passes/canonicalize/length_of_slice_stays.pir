; It depends on where the slice is cut off.
; pass: canonicalize
; count: dim = 1
; run: @f(3) = 0
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 5
  %2: array<f64, 1> in m0 = zeros %0
  %3: array<f64, 1> in m0 = view[start:] %2, %1
  %4: i64 = dim[0] %3
  return %4
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 5
  %2: array<f64, 1> in m0 = zeros %0
  %3: array<f64, 1> in m0 = view[start:] %2, %1
  %4: i64 = dim[0] %3
  return %4
}
