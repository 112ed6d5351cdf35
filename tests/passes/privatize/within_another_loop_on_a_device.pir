; A device runs the loop around it, whose iterations ask for nothing.
; pass: privatize
; count: device_wanted = 0
; count: update = 0
; run: @f([[0, 1], [2, 3]], [1, 1, 0]) = [[1, 3], [3, 5]]
func @f array fast device (%0: array<i64, 2> in m0, %1: array<i64, 1> in m1) -> (array<i64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = dim[0] %1
  pfor[| sliced write [i, :], invariant] %2, %4, %3, %0, %1 !r m0|m1 !w m0 {
  (%6: i64):
    %7: array<i64, 1> in m0 = view[at] %0, %6
    pfor[| reduced sum, sliced read [i]] %2, %5, %3, %7, %1 !r m0|m1 !w m0 {
    (%8: i64):
      %9: i64 = load %1, %8 !r m1
      %10: i64 = load %7, %9 !r m0
      %11: i64 = add %10, %3
      store %7, %11, %9 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
