; pass: cse
; count: check = 1
; run: @f(True) = 1
; run: @f(False) raises ValueError
func @f array (%0: bool) -> (i64) {
  %1: i64 = const 1
  check[ValueError, "no"] %0
  check[ValueError, "no"] %0
  return %1
}
; ---- after
func @f array (%0: bool) -> (i64) {
  %1: i64 = const 1
  check[ValueError, "no"] %0
  return %1
}
