; pass: prove-pfor
; refuse: iterations of this `pfor` can only append to a list that they share
func @f array (%0: list<f64> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  pfor %2, %1, %3 !w m0 {
  (%5: i64):
    list_set %0, %5, %4 !w m0
    continue[0]
  }
  return
}
