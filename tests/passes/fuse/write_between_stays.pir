; pass: fuse
; count: map = 0
; run: @f([1.0, 2.0]) = 5.0
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = const 1.0
  %2: f64 = const 7.0
  %3: i64 = const 0
  %4: array<f64, 1> in m1 = add %0, %1 !r m0
  store %0, %2, %3 !w m0
  %5: f64 = reduce[sum] %4 !r m1
  return %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = const 1.0
  %2: f64 = const 7.0
  %3: i64 = const 0
  %4: array<f64, 1> in m1 = add %0, %1 !r m0
  store %0, %2, %3 !w m0
  %5: f64 = reduce[sum] %4 !r m1
  return %5
}
