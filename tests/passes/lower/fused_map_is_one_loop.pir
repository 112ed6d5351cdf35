; A sum goes over blocks, so that its result does not depend on how it is divided.
; pass: lower
; count: for = 2
; count: load_raw = 1
; count: empty = 0
; run: @f([1.0, 2.0], 3.0) = 11.0
func @f array (%0: array<f64, 1> in m0, %1: f64) -> (f64) {
  %2: f64 = map[reduce sum] %0 !r m0 {
  (%3: f64):
    %4: f64 = mul %3, %3
    %5: f64 = add %4, %1
    yield %5
  }
  return %2
}
