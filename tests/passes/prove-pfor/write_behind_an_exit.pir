; Only the first iteration comes that far.
; pass: prove-pfor
; count: pfor = 1
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  pfor %2, %1, %3 !w m0 {
  (%5: i64):
    %6: bool = gt %5, %2
    if %6 {
      continue[0]
    } else {
      yield
    }
    store %0, %4, %2 !w m0
    continue[0]
  }
  return
}
