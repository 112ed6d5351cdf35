; With more iterations than elements, the first and a later one write the last element.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor %2, %1, %3 !w m0 {
  (%4: i64):
    %5: f64 = cast %4
    %6: i64 = sub %4, %3
    store %0, %5, %6 !w m0
    continue[0]
  }
  return
}
