; The order of sums of floats matters, so that parts of the loop have arrays of their own on a device too.
; pass: privatize
; count: device_wanted = 0
; count: update = 0
; count: pfor = 1
; run: @f([0.0, 1.0], [1, 1, 0]) = [1.0, 3.0]
func @f array fast device (%0: array<f64, 1> in m0, %1: array<i64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  %5: i64 = dim[0] %1
  pfor[| reduced sum, sliced read [i]] %2, %5, %3, %0, %1 !r m0|m1 !w m0 {
  (%6: i64):
    %7: i64 = load %1, %6 !r m1
    %8: f64 = load %0, %7 !r m0
    %9: f64 = add %8, %4
    store %0, %9, %7 !w m0
    continue[0]
  }
  return %0
}
