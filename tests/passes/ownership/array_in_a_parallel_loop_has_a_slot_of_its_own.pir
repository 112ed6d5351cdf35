; pass: lower, ownership
; count: own in loops = 1
; run: @f(3) = 6.0
func @f array (%0: i64) -> (f64) {
  %1: f64 = const 2.0
  %2: i64 = const 1
  %3: i64 = const 0
  %4: f64 = const 0.0
  %5: array<f64, 1> in m0 = full %1, %2
  %6: f64 = pfor[sum] %3, %0, %2, %4 !r m0|m1 {
  (%7: i64, %8: f64):
    %9: array<f64, 1> in m1 = copy %5 !r m0
    %10: f64 = reduce[sum] %9 !r m1
    %11: f64 = add %8, %10
    continue[0] %11
  }
  return %6
}
