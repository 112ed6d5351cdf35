; pass: split-sums
; count: for = 1
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = for %4, %2, %5, %3 !r m0 {
  (%7: i64, %8: f64):
    %9: bool = lt %8, %1
    check[ValueError, "too much"] %9
    %10: f64 = load_raw %0, %7 !r m0
    %11: f64 = add %8, %10
    continue[0] %11
  }
  return %6
}
