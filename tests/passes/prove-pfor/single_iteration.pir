; Nothing else runs beside it.
; pass: prove-pfor
; count: pfor = 1
func @f array (%0: array<f64, 1> in m0) -> () {
  %1: i64 = const 0
  %2: i64 = const 3
  %3: i64 = const 1
  %4: f64 = const 1.0
  pfor %1, %3, %2 !w m0 {
  (%5: i64):
    store %0, %4, %1 !w m0
    store %0, %4, %1 !w m0
    continue[0]
  }
  return
}
