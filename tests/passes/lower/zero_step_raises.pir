; pass: lower
; count: check = 1
; run: @f(3, 1) = 3
; run: @f(3, 0) raises ValueError
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = for %2, %0, %1, %2 {
  (%5: i64, %6: i64):
    %7: i64 = add %6, %3
    continue[0] %7
  }
  return %4
}
