; pass: cse
; count: mul = 1
; run: @f(3, 2) = 18
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = mul %0, %0
  %5: i64 = for %2, %1, %3, %2 {
  (%6: i64, %7: i64):
    %8: i64 = mul %0, %0
    %9: i64 = add %7, %8
    continue[0] %9
  }
  return %5
}
; ---- after
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = mul %0, %0
  %5: i64 = for %2, %1, %3, %2 {
  (%6: i64, %7: i64):
    %8: i64 = add %7, %4
    continue[0] %8
  }
  return %5
}
