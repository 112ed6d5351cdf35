; pass: fuse, dce
; count: map = 1
; run: @f([]) raises ValueError
; run: @f([3.0, 1.0]) = 2.0
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: f64 = reduce[min] %2 !r m1
  return %3
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = const 1.0
  %2: f64 = map[reduce min] %0 !r m0 {
  (%3: f64):
    %4: f64 = add %3, %1
    yield %4
  }
  return %2
}
