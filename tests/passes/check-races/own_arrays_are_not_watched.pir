; What an iteration makes for itself no other one can touch, and what is only added to may be shared.
; pass: check-races
; count: zeros = 1
; count: check = 0
; run: @f([0.0], 3) = [6.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  pfor %2, %1, %3 !r m0|m1 !w m0|m1 {
  (%5: i64):
    %6: array<f64, 1> in m1 = zeros %3
    store %6, %4, %2 !w m1
    %7: f64 = load %6, %2 !r m1
    %8: f64 = load %0, %2 !r m0
    %9: f64 = add %8, %7
    store %0, %9, %2 !w m0
    continue[0]
  }
  return %0
}
