; The inner one first; the outer body then launches it.
; pass: outline
; count: launch = 2
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = 10.0
func @f loop fast (%0: array<f64, 2> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  %6: f64 = pfor[sum | sliced read [i, 0 ..= n0.1 - 1]] %1, %4, %2, %3, %0 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = pfor[sum | sliced read [v1, i]] %1, %5, %2, %8, %0, %7 !r m0 {
    (%10: i64, %11: f64):
      %12: f64 = load_raw %0, %7, %10 !r m0
      %13: f64 = add %11, %12
      continue[0] %13
    }
    continue[0] %9
  }
  return %6
}
