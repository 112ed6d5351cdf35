; pass: prove-pfor
; refuse: iterations of this `pfor` write the same elements of an array
func @f array (%0: array<f64, 1> in m0) -> () {
  %1: i64 = const 2
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m1 = zeros %1
  %5: i64 = dim[0] %0
  pfor %2, %5, %3 !r m1 !w m0|m1 {
  (%6: i64):
    %7: f64 = cast %6
    store %4, %7, %2 !w m1
    %8: f64 = reduce[sum] %4 !r m1
    store %0, %8, %6 !w m0
    continue[0]
  }
  return
}
