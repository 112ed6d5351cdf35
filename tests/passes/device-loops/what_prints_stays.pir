; Of two loops one has a kernel; the function of the other is for processors.
; pass: outline, device-loops
; count: launch = 2
; run: @f([1.0, 2.0]) = [2.0, 4.0]
func @f loop fast device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  pfor[| sliced write [i]] %1, %3, %2, %0 !r m0 !w m0 {
  (%4: i64):
    %5: f64 = load_raw %0, %4 !r m0
    %6: f64 = add %5, %5
    store_raw %0, %6, %4 !w m0
    continue[0]
  }
  pfor[| sliced read [i]] %1, %3, %2, %0 !r m0 {
  (%7: i64):
    %8: f64 = load_raw %0, %7 !r m0
    %9: f64 = time
    continue[0]
  }
  return %0
}
