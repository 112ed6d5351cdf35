; pass: licm
; count: mul in loops = 1
; run: @f(3) = 5
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = for %1, %0, %2, %1 {
  (%4: i64, %5: i64):
    %6: i64 = mul %4, %4
    %7: i64 = add %5, %6
    continue[0] %7
  }
  return %3
}
; ---- after
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = for %1, %0, %2, %1 {
  (%4: i64, %5: i64):
    %6: i64 = mul %4, %4
    %7: i64 = add %5, %6
    continue[0] %7
  }
  return %3
}
