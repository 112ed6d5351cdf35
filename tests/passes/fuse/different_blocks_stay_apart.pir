; pass: fuse
; count: map = 0
; run: @f([1.0, 2.0], True) = 5.0
func @f array (%0: array<f64, 1> in m0, %1: bool) -> (f64) {
  %2: f64 = const 1.0
  %3: f64 = const 0.0
  %4: array<f64, 1> in m1 = add %0, %2 !r m0
  %5: f64 = if %1 !r m1 {
    %6: f64 = reduce[sum] %4 !r m1
    yield %6
  } else {
    yield %3
  }
  return %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: bool) -> (f64) {
  %2: f64 = const 1.0
  %3: f64 = const 0.0
  %4: array<f64, 1> in m1 = add %0, %2 !r m0
  %5: f64 = if %1 !r m1 {
    %6: f64 = reduce[sum] %4 !r m1
    yield %6
  } else {
    yield %3
  }
  return %5
}
