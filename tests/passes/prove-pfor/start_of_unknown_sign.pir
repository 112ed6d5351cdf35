; From `range(-2, 2)`, `a[-2]` and `a[0]` are one element of an array of two.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> () {
  %3: i64 = const 1
  %4: f64 = const 1.0
  pfor %1, %2, %3 !w m0 {
  (%5: i64):
    store %0, %4, %5 !w m0
    continue[0]
  }
  return
}
