; Where a device runs the loop, its threads update elements at once; the load only looks whether there is one.
; pass: privatize, dce
; count: device_wanted = 1
; count: update = 1
; count: pfor = 2
; count: load = 6
; run: @f([0, 1], [1, 1, 0]) = [1, 3]
; run: @f([0, 1], [1, 2]) raises IndexError
func @f array fast device (%0: array<i64, 1> in m0, %1: array<i64, 1> in m1) -> (array<i64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %5: i64 = dim[0] %1
  pfor[| reduced sum, sliced read [i]] %2, %5, %3, %0, %1 !r m0|m1 !w m0 {
  (%6: i64):
    %7: i64 = load %1, %6 !r m1
    %8: i64 = load %0, %7 !r m0
    %9: i64 = add %8, %3
    store %0, %9, %7 !w m0
    continue[0]
  }
  return %0
}
