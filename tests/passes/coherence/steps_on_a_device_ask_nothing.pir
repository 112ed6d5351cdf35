; A loop over time around two loops that devices run: nobody else touches the arrays.
; pass: outline, device-loops, coherence
; count: launch = 2
; count: host_access = 0
; run: @f([1.0, 2.0], [0.0, 0.0], 2) = [4.0, 8.0]
func @f loop fast device (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (array<f64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %0
  for %3, %2, %4 !r m0|m1 !w m0|m1 {
  (%6: i64):
    pfor[| sliced read [i], sliced write [i]] %3, %5, %4, %0, %1 !r m0 !w m1 {
    (%7: i64):
      %8: f64 = load_raw %0, %7 !r m0
      %9: f64 = add %8, %8
      store_raw %1, %9, %7 !w m1
      continue[0]
    }
    pfor[| sliced write [i], sliced read [i]] %3, %5, %4, %0, %1 !r m1 !w m0 {
    (%10: i64):
      %11: f64 = load_raw %1, %10 !r m1
      store_raw %0, %11, %10 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}

func @f.general loop general (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: i64) -> (array<f64, 1>) {
  return %0
}

export "f"("a": written array<f64, 1>, "b": written array<f64, 1>, "n": i64) -> array<f64, 1> = @f if contiguous apart device, @f.general
