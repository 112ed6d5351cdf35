; pass: cse
; count: map = 1
; run: @f([1.0, 2.0]) = 5.0, 5.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: f64 = map[reduce sum] %0 !r m0 {
  (%2: f64):
    %3: f64 = mul %2, %2
    yield %3
  }
  %4: f64 = map[reduce sum] %0 !r m0 {
  (%5: f64):
    %6: f64 = mul %5, %5
    yield %6
  }
  return %1, %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: f64 = map[reduce sum] %0 !r m0 {
  (%2: f64):
    %3: f64 = mul %2, %2
    yield %3
  }
  return %1, %1
}
