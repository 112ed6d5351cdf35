; pass: dce
; count: for = 1
; count: add = 2
; run: @f(3) = 3
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: i64, %5: i64 = for %1, %0, %2, %1, %1 {
  (%6: i64, %7: i64, %8: i64):
    %9: i64 = add %7, %6
    %10: i64 = add %8, %3
    continue[0] %9, %10
  }
  return %4
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: i64, %5: i64 = for %1, %0, %2, %1, %1 {
  (%6: i64, %7: i64, %8: i64):
    %9: i64 = add %7, %6
    %10: i64 = add %8, %3
    continue[0] %9, %10
  }
  return %4
}
