; A device reads an array that the function made, and writes another; the processor reads the first, which it may, and writes it, which the device has to know.
; pass: outline, device-loops, coherence
; count: host_access = 1
; run: @f([1.0, 2.0]) = [0.0, 0.0]
func @f loop fast device (%1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %1
  %0: array<f64, 1> in m1 = zeros %4
  pfor[| sliced read [i], sliced write [i]] %2, %4, %3, %0, %1 !r m1 !w m0 {
  (%5: i64):
    %6: f64 = load_raw %0, %5 !r m1
    %7: f64 = add %6, %6
    store_raw %1, %7, %5 !w m0
    continue[0]
  }
  %8: f64 = load_raw %0, %2 !r m1
  %9: f64 = add %8, %8
  store_raw %0, %9, %2 !w m1
  return %1
}

func @f.general loop general (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  return %0
}

export "f"("b": written array<f64, 1>) -> array<f64, 1> = @f if contiguous apart device, @f.general
