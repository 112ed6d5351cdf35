; pass: fuse, dce
; count: cast in maps = 1
; run: @f([1, 2]) = 1.5
func @f array (%0: array<i64, 1> in m0) -> (f64) {
  %1: f64 = const 0.5
  %2: array<f64, 1> in m1 = cast %0 !r m0
  %3: array<f64, 1> in m2 = mul %2, %1 !r m1
  %4: f64 = reduce[sum] %3 !r m2
  return %4
}
; ---- after
func @f array (%0: array<i64, 1> in m0) -> (f64) {
  %1: f64 = const 0.5
  %2: f64 = map[reduce sum] %0 !r m0 {
  (%3: i64):
    %4: f64 = cast %3
    %5: f64 = mul %4, %1
    yield %5
  }
  return %2
}
