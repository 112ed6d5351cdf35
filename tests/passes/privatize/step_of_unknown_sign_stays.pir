; pass: privatize
; count: if = 0
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = dim[0] %1
  pfor[| reduced sum, sliced read [i]] %3, %4, %2, %0, %1 !r m0|m1 !w m0 {
  (%5: i64):
    %6: f64 = load %1, %5 !r m1
    %7: f64 = load %0, %3 !r m0
    %8: f64 = add %7, %6
    store %0, %8, %3 !w m0
    continue[0]
  }
  return
}
