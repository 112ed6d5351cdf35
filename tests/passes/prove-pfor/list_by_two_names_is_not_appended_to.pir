; pass: prove-pfor
; refuse: iterations of this `pfor` can only append to a list that they share
func @f array (%0: list<i64> in m0, %1: i64, %9: bool) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: list<i64> in m1 = list_new
  %10: list<i64> in m0|m1 = if %9 {
    yield %0
  } else {
    yield %4
  }
  pfor %2, %1, %3 !w m0|m1 {
  (%5: i64):
    list_append %0, %5 !w m0
    list_append %10, %5 !w m0|m1
    continue[0]
  }
  return
}
