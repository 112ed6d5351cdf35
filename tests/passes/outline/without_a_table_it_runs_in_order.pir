; pass: outline
; count: launch = 0
; count: for = 1
; run: @f([1.0, 2.0], 2.0) = 6.0
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = dim[0] %0
  %6: f64 = pfor[sum] %2, %5, %3, %4 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: f64 = mul %9, %1
    %11: f64 = add %8, %10
    continue[0] %11
  }
  return %6
}
