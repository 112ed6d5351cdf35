; pass: dce
; count: for = 0
; run: @f(3) = 3
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = for %1, %0, %2, %1 {
  (%4: i64, %5: i64):
    %6: i64 = add %5, %4
    continue[0] %6
  }
  return %0
}
; ---- after
func @f array (%0: i64) -> (i64) {
  return %0
}
