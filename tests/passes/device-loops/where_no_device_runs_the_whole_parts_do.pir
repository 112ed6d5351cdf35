; The whole loop calls the clock, so that it is never what runs.
; pass: outline, device-loops
; count: launch = 2
; count: const = 5
; run: @f([1, 2], 3) = [3, 2]
func @f loop fast device (%0: array<i64, 1> in m0, %1: i64) -> (array<i64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: bool = device_wanted
  if %4 !r m0 !w m0 {
    pfor[| reduced sum] %2, %1, %3, %0 !r m0 !w m0 {
    (%5: i64):
      %7: f64 = time
      update_raw[sum] %0, %3, %2 !r m0 !w m0
      continue[0]
    }
    yield
  } else {
    pfor[| sliced write [i]] %2, %3, %3, %0 !w m0 {
    (%6: i64):
      store_raw %0, %1, %6 !w m0
      continue[0]
    }
    yield
  }
  return %0
}
