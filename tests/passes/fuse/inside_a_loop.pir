; pass: fuse, dce
; count: map in loops = 1
; run: @f([1.0, 2.0], 2) = 5.0
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = const 1.0
  %6: f64 = for %2, %1, %3, %4 !r m0|m1|m2 {
  (%7: i64, %8: f64):
    %9: f64 = cast %7
    %10: array<f64, 1> in m1 = mul %0, %9 !r m0
    %11: array<f64, 1> in m2 = add %10, %5 !r m1
    %12: f64 = reduce[sum] %11 !r m2
    continue[0] %12
  }
  return %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = const 1.0
  %6: f64 = for %2, %1, %3, %4 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = cast %7
    %10: f64 = map[reduce sum] %0 !r m0 {
    (%11: f64):
      %12: f64 = mul %11, %9
      %13: f64 = add %12, %5
      yield %13
    }
    continue[0] %10
  }
  return %6
}
