; No device runs a loop that prints, so no device has the array.
; pass: outline, device-loops, coherence
; count: launch = 1
; count: host_access = 0
; run: @f([1.0]) = 1.0
func @f loop device (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  pfor[| sliced read [i]] %1, %3, %2, %0 !r m0 {
  (%4: i64):
    %5: f64 = load_raw %0, %4 !r m0
    %6: f64 = time
    continue[0]
  }
  %7: f64 = load_raw %0, %1 !r m0
  return %7
}

func @f.other loop (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load_raw %0, %1 !r m0
  return %2
}

export "f"("a": array<f64, 1>) -> f64 = @f if device, @f.other
