; The processor sums what a device may have written: it asks once, before its loop, and not for each element.
; pass: outline, device-loops, coherence
; count: host_access = 1
; run: @f([1.0, 2.0, 3.0]) = 12.0
func @f loop device (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = dim[0] %0
  pfor[| sliced write [i]] %1, %4, %2, %0 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load_raw %0, %5 !r m0
    %7: f64 = add %6, %6
    store_raw %0, %7, %5 !w m0
    continue[0]
  }
  %8: f64 = for %1, %4, %2, %3 !r m0 {
  (%9: i64, %10: f64):
    %11: f64 = load_raw %0, %9 !r m0
    %12: f64 = add %10, %11
    continue[0] %12
  }
  return %8
}
export "f"("a": written array<f64, 1>) -> f64 = @f if device, @f
