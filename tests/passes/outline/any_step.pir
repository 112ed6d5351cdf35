; The index is made of the iteration's number; with a step of -1 it counts down by itself.
; pass: outline
; count: launch = 2
; run: @f(10, 1, -3) = 21
; run: @f(1, 10, 3) = 12
; run: @f(1, 10, 0) raises ValueError
func @f loop (%0: i64, %1: i64, %2: i64) -> (i64) {
  %3: i64 = const 0
  %4: i64 = const -1
  %5: i64 = pfor[sum |] %0, %1, %2, %3 {
  (%6: i64, %7: i64):
    %8: i64 = add %7, %6
    continue[0] %8
  }
  %9: i64 = pfor[sum |] %0, %0, %4, %5 {
  (%10: i64, %11: i64):
    %12: i64 = add %11, %10
    continue[0] %12
  }
  return %9
}
