; pass: versions
; count: load = 1
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}
