; What nobody writes may overlap.
; pass: outline
; count: launch = 1
; count: address = 0
; run: @f([1.0, 2.0], [3.0, 4.0]) = 11.0
func @f loop general (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = dim[0] %0
  %6: f64 = pfor[sum | sliced read [i], sliced read [i]] %2, %5, %3, %4, %0, %1 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: f64 = load_raw %1, %7 !r m0
    %11: f64 = mul %9, %10
    %12: f64 = add %8, %11
    continue[0] %12
  }
  return %6
}
