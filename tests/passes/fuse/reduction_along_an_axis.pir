; pass: fuse, dce
; count: map = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [10.0, 20.0]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: array<f64, 2> in m1 = mul %0, %0 !r m0
  %2: array<f64, 1> in m2 = reduce[sum axes 0] %1 !r m1
  return %2
}
; ---- after
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: array<f64, 1> in m1 = map[reduce sum axes 0] %0 !r m0 {
  (%2: f64):
    %3: f64 = mul %2, %2
    yield %3
  }
  return %1
}
