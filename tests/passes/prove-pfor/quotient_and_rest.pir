; pass: prove-pfor
; count: pfor = 1
func @f array (%0: array<f64, 2> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[1] %0
  %5: f64 = const 1.0
  pfor %2, %1, %3 !w m0 {
  (%6: i64):
    %7: i64 = floordiv %6, %4
    %8: i64 = mod %6, %4
    store %0, %5, %7, %8 !w m0
    continue[0]
  }
  return
}
