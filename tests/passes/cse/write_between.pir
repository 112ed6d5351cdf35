; pass: cse
; count: load = 2
; run: @f([1.0]) = 1.0, 2.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 0
  %2: f64 = const 2.0
  %3: f64 = load %0, %1 !r m0
  store %0, %2, %1 !w m0
  %4: f64 = load %0, %1 !r m0
  return %3, %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 0
  %2: f64 = const 2.0
  %3: f64 = load %0, %1 !r m0
  store %0, %2, %1 !w m0
  %4: f64 = load %0, %1 !r m0
  return %3, %4
}
