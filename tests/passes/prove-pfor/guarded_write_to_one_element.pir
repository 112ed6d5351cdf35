; Only one iteration writes.
; pass: prove-pfor
; count: pfor = 1
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 3
  %5: f64 = const 1.0
  pfor %2, %1, %3 !w m0 {
  (%6: i64):
    %7: bool = eq %6, %4
    if %7 !w m0 {
      store %0, %5, %2 !w m0
      yield
    } else {
      yield
    }
    continue[0]
  }
  return
}
