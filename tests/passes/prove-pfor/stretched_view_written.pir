; Each element of the view is one element of the array.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 1
  %3: i64 = const 0
  %4: f64 = const 1.0
  %5: array<f64, 1> in m0 = view[:stop] %0, %2
  %6: array<f64, 1> in m0 = broadcast_to %5, %1
  pfor %3, %1, %2 !w m0 {
  (%7: i64):
    store %6, %4, %7 !w m0
    continue[0]
  }
  return
}
