; What is combined into the array is an array, whose elements are no updates yet.
; pass: privatize
; count: device_wanted = 0
; count: update = 0
; run: @f([1, 2], [3, 4], 2) = [7, 10]
func @f array fast device (%0: array<i64, 1> in m0, %1: array<i64, 1> in m1, %2: i64) -> (array<i64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  pfor[| reduced sum, invariant] %3, %2, %4, %0, %1 !r m0|m1|m2 !w m0 {
  (%5: i64):
    %6: array<i64, 1> in m2 = add %0, %1 !r m0|m1
    assign %0, %6 !r m2 !w m0
    continue[0]
  }
  return %0
}
