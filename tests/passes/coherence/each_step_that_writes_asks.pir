; The processor sets an element in each step, between loops on a device: it asks each time.
; pass: outline, device-loops, coherence
; count: host_access = 1
; run: @f([1.0, 2.0], 3) = [10.0, 16.0]
func @f loop device (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: f64 = const 5.0
  for %2, %1, %3 !r m0 !w m0 {
  (%6: i64):
    store_raw %0, %5, %2 !w m0
    pfor[| sliced write [i]] %2, %4, %3, %0 !r m0 !w m0 {
    (%7: i64):
      %8: f64 = load_raw %0, %7 !r m0
      %9: f64 = add %8, %8
      store_raw %0, %9, %7 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
export "f"("a": written array<f64, 1>, "n": i64) -> array<f64, 1> = @f if device, @f
