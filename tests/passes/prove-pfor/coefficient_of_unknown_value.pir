; `a[i * m]`: m may be 0.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1.0
  pfor %3, %1, %4 !w m0 {
  (%6: i64):
    %7: i64 = max %2, %3
    %8: i64 = mul %6, %7
    store %0, %5, %8 !w m0
    continue[0]
  }
  return
}
