; The slot's old owner goes when the next one comes.
; pass: lower, ownership
; count: own in loops = 1
; run: @f(3) = 3.0
func @f array (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 4
  %5: f64 = const 1.0
  %6: f64 = for %1, %0, %2, %3 !r m0 !w m0 {
  (%7: i64, %8: f64):
    %9: array<f64, 1> in m0 = zeros %4
    store %9, %5, %1 !w m0
    %10: f64 = reduce[sum] %9 !r m0
    %11: f64 = add %8, %10
    continue[0] %11
  }
  return %6
}
