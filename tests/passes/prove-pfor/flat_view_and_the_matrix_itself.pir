; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 2> in m0) -> () {
  %1: i64 = const -1
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m0|m1 = reshape %0, %1 !r m0
  %5: i64 = dim[0] %4
  pfor %2, %5, %3 !r m0 !w m0|m1 {
  (%6: i64):
    %7: f64 = load %0, %2, %2 !r m0
    store %4, %7, %6 !w m0|m1
    continue[0]
  }
  return
}
