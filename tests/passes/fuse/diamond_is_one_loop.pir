; Both uses of `b` are in the group.
; pass: fuse, dce
; count: map = 1
; count: add in maps = 2
; run: @f([1.0, 2.0]) = [6.0, 12.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: array<f64, 1> in m2 = mul %2, %2 !r m1
  %4: array<f64, 1> in m3 = add %2, %3 !r m1|m2
  return %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = map %0 !r m0 {
  (%3: f64):
    %4: f64 = add %3, %1
    %5: f64 = mul %4, %4
    %6: f64 = add %4, %5
    yield %6
  }
  return %2
}
