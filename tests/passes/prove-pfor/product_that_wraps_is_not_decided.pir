; In steps of 2**62, `4 * i` is 0 each time.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0) -> () {
  %1: i64 = const 0
  %2: i64 = const 9223372036854775807
  %3: i64 = const 4611686018427387904
  %4: i64 = const 4
  %5: f64 = const 1.0
  pfor %1, %2, %3 !w m0 {
  (%6: i64):
    %7: i64 = mul %6, %4
    store %0, %5, %7 !w m0
    continue[0]
  }
  return
}
