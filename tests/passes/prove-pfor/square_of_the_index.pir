; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  pfor %2, %1, %3 !w m0 {
  (%5: i64):
    %6: i64 = mul %5, %5
    store %0, %4, %6 !w m0
    continue[0]
  }
  return
}
