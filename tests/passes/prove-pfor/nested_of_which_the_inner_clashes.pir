; pass: prove-pfor
; refuse: write the same elements
func @f array (%0: array<f64, 1> in m0) -> () {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 1.0
  %4: i64 = dim[0] %0
  pfor %1, %4, %2 !w m0 {
  (%5: i64):
    pfor %1, %4, %2 !w m0 {
    (%6: i64):
      store %0, %3, %5 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
