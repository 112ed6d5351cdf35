; `x - s` is no accumulation.
; pass: auto-parallel
; count: pfor = 0
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: f64 = const 0.0
  %6: f64 = for %2, %4, %3, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: f64 = sub %9, %8
    continue[0] %10
  }
  return %6
}
