; From the second round on both names stand for one array.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %0
  %6: array<f64, 1> in m0, %7: array<f64, 1> in m0 = for %3, %2, %4, %0, %1 !r m0 !w m0 {
  (%8: i64, %9: array<f64, 1> in m0, %10: array<f64, 1> in m0):
    pfor %4, %5, %4 !r m0 !w m0 {
    (%11: i64):
      %12: i64 = sub %11, %4
      %13: f64 = load %9, %12 !r m0
      store %10, %13, %11 !w m0
      continue[0]
    }
    continue[0] %10, %10
  }
  return
}
