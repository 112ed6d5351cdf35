; pass: version-loops
; count: check in loops = 1
; count: for = 2
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0]) = 11.0
; run: @f([], []) = 0.0
; run: @f([1.0, 2.0], [3.0]) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %2, %6, %4 !r m0|m1 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: bool = lt %8, %3
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %11, %8, %3
    %12: f64 = load_raw %1, %8 !r m1
    %13: f64 = mul %10, %12
    %14: f64 = add %9, %13
    continue[0] %14
  }
  return %7
}
