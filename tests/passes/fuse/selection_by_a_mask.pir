; pass: fuse, dce
; count: map = 1
; count: select in maps = 1
; run: @f([1.0, -2.0]) = [1.0, 0.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 0.0
  %2: array<bool, 1> in m1 = gt %0, %1 !r m0
  %3: array<f64, 1> in m2 = select %2, %0, %1 !r m0|m1
  return %3
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 0.0
  %2: array<f64, 1> in m1 = map %0 !r m0 {
  (%3: f64):
    %4: bool = gt %3, %1
    %5: f64 = select %4, %3, %1
    yield %5
  }
  return %2
}
