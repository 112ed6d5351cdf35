; pass: prove-pfor
; refuse: iterations of this `pfor` can only append to a list that they share
func @f array (%0: list<i64> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor %2, %1, %3 !r m0 !w m0 {
  (%5: i64):
    list_append %0, %5 !w m0
    %6: i64 = list_len %0 !r m0
    continue[0]
  }
  return
}
