; To subtract is to add the negative number.
; pass: privatize, dce
; count: update = 1
; count: sub = 6
; run: @f([0, 1], [1, 1, 0], [7, -8, 9]) = [-9, 2]
func @f array fast device (%0: array<i32, 1> in m0, %1: array<i64, 1> in m1, %2: array<i32, 1> in m2) -> (array<i32, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %1
  pfor[| reduced sum, sliced read [i], sliced read [i]] %3, %5, %4, %0, %1, %2 !r m0|m1|m2 !w m0 {
  (%6: i64):
    %7: i64 = load %1, %6 !r m1
    %8: i32 = load %0, %7 !r m0
    %9: i32 = load %2, %6 !r m2
    %10: i32 = sub %8, %9
    store %0, %10, %7 !w m0
    continue[0]
  }
  return %0
}
