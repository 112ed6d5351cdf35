; The length of what the loop carries is its own, not one of the three axes of what was reduced.
; pass: lower
; count: map = 0
; run: @f([[[1.0, 2.0], [3.0, 4.0]]], [10.0, 20.0]) = [11.0, 22.0]
func @f array fast (%0: array<f64, 3> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: array<f64, 1> in m2 = map[reduce min axes 0 1] %0, %1 !r m0|m1 {
  (%3: f64, %4: f64):
    %5: f64 = add %3, %4
    yield %5
  }
  %6: i64 = const 0
  %7: i64 = const 1
  %8: array<f64, 1> in m2 = for %6, %7, %7, %2 {
  (%9: i64, %10: array<f64, 1> in m2):
    continue[0] %10
  }
  return %8
}
