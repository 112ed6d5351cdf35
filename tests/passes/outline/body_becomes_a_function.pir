; What the body uses is captured, lengths and constants are made again, and parts go on from their accumulators.
; pass: outline
; count: launch = 1
; count: pfor = 0
; run: @f([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], 2.0) = 12.0
; run: @f([], [], 2.0) = 0.0
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: f64) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: i64 = dim[0] %0
  %7: f64 = pfor[sum | sliced read [i], sliced write [i]] %3, %6, %4, %5, %0, %1 !r m0 !w m1 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: f64 = mul %10, %2
    store_raw %1, %11, %8 !w m1
    %12: f64 = add %9, %11
    continue[0] %12
  }
  return %7
}
