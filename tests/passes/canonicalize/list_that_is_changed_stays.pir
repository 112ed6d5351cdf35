; An item more is there in the end.
; pass: canonicalize
; count: list_len = 1
; run: @f(3, 4) = 3
func @f array (%a: i64, %b: i64) -> (i64) {
  %l: list<i64> = list_new %a, %b
  list_append %l, %a
  %n: i64 = list_len %l
  return %n
}
; ---- after
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: list<i64> in m0 = list_new %0, %1
  list_append %2, %0 !w m0
  %3: i64 = list_len %2 !r m0
  return %3
}
