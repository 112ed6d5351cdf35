; Two arrays of stamps beside each array that is there before the loop.
; pass: check-races
; count: pfor = 0
; count: for = 1
; count: zeros = 4
; count: check >= 3
; run: @f([0.0, 0.0, 0.0], [2, 0]) = [1.0, 0.0, 1.0]
; run: @f([0.0], [2, 0]) raises IndexError
func @f array (%0: array<f64, 1> in m0, %1: array<i64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  %5: i64 = dim[0] %1
  pfor %2, %5, %3 !r m0 !w m0 {
  (%6: i64):
    %7: i64 = load %1, %6 !r m0
    store %0, %4, %7 !w m0
    continue[0]
  }
  return %0
}
