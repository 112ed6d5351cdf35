; pass: cse
; count: check = 2
; run: @f(False) raises ValueError
func @f array (%0: bool) -> () {
  check[ValueError, "no"] %0
  check[TypeError, "no"] %0
  return
}
; ---- after
func @f array (%0: bool) -> () {
  check[ValueError, "no"] %0
  check[TypeError, "no"] %0
  return
}
