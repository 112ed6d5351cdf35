; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1.0
  pfor %3, %1, %4 !w m0 {
  (%6: i64):
    %7: bool = lt %6, %2
    if %7 !w m0 {
      store %0, %5, %3 !w m0
      yield
    } else {
      yield
    }
    continue[0]
  }
  return
}
