; A device runs a loop over one array, and a loop that reads the clock stays on the processor with one that the function made: nobody asks for that.
; pass: outline, device-loops, coherence
; count: launch = 2
; count: host_access = 0
; run: @f([1.0]) = 0.0
func @f loop fast device (%0: array<f64, 1> in m0) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %1: array<f64, 1> in m1 = zeros %4
  pfor[| sliced write [i]] %2, %4, %3, %0 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load_raw %0, %5 !r m0
    %7: f64 = add %6, %6
    store_raw %0, %7, %5 !w m0
    continue[0]
  }
  pfor[| sliced write [i]] %2, %4, %3, %1 !r m1 !w m1 {
  (%8: i64):
    %9: f64 = load_raw %1, %8 !r m1
    %10: f64 = time
    store_raw %1, %9, %8 !w m1
    continue[0]
  }
  %11: f64 = load_raw %1, %2 !r m1
  return %11
}

func @f.general loop general (%0: array<f64, 1> in m0) -> (f64) {
  %2: f64 = const 3.0
  return %2
}

export "f"("a": written array<f64, 1>) -> f64 = @f if contiguous apart device, @f.general
