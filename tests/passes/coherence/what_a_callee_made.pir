; What a function for devices gives may be on the device.
; pass: outline, device-loops, coherence
; count: host_access = 1
; run: @f([1.0, 2.0]) = 2.0
func @f loop device (%0: array<f64, 1> in m0) -> (f64) {
  %1: array<f64, 1> in m1 = call[@g] %0 !r m0
  %2: i64 = const 0
  %3: f64 = load_raw %1, %2 !r m1
  return %3
}

func @g loop device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: array<f64, 1> in m1 = empty %3
  pfor[| sliced read [i], sliced write [i]] %1, %3, %2, %0, %4 !r m0 !w m1 {
  (%5: i64):
    %6: f64 = load_raw %0, %5 !r m0
    %7: f64 = add %6, %6
    store_raw %4, %7, %5 !w m1
    continue[0]
  }
  return %4
}
export "f"("a": array<f64, 1>) -> f64 = @f if device, @f
