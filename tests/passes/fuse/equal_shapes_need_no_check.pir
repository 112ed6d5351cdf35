; pass: fuse, canonicalize, cse, dce
; count: check = 0
; count: map = 1
; run: @f([1.0, 2.0]) = 8.0
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: array<f64, 1> in m1 = mul %0, %0 !r m0
  %2: array<f64, 1> in m2 = add %1, %0 !r m0|m1
  %3: f64 = reduce[sum] %2 !r m2
  return %3
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = map[reduce sum] %0 !r m0 {
  (%2: f64):
    %3: f64 = mul %2, %2
    %4: f64 = add %3, %2
    yield %4
  }
  return %1
}
