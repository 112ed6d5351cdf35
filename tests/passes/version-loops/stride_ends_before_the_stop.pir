; Of an even length, the last index is one less than the one before the stop.
; pass: version-loops
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0, 8.0], 4) = 10.0
; run: @f([1.0, 2.0, 4.0], 3) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 2
  %6: i64 = const 1
  %7: f64 = for %4, %1, %5, %3 !r m0 {
  (%8: i64, %9: f64):
    %10: i64 = add %8, %6
    %11: bool = lt %10, %2
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %11, %10, %2
    %12: f64 = load_raw %0, %10 !r m0
    %13: f64 = add %9, %12
    continue[0] %13
  }
  return %7
}
