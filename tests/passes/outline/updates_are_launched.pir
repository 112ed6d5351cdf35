; Iterations that combine values into elements, and do nothing else with the array, run at once on a device.
; pass: outline
; count: launch = 1
; count: pfor = 0
; run: @f([1, 2], 3) = [4, 2]
func @f loop fast device (%0: array<i64, 1> in m0, %1: i64) -> (array<i64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor[| reduced sum] %2, %1, %3, %0 !r m0 !w m0 {
  (%4: i64):
    update_raw[sum] %0, %3, %2 !r m0 !w m0
    continue[0]
  }
  return %0
}
