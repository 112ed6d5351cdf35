; The length is asked for in the loop, of an array that was there before.
; pass: version-loops
; count: for = 2
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0], 3) = 7.0
; run: @f([1.0, 2.0, 4.0], 4) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = for %3, %1, %4, %2 !r m0 {
  (%6: i64, %7: f64):
    %8: i64 = dim[0] %0
    %9: bool = lt %6, %8
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %9, %6, %8
    %10: f64 = load_raw %0, %6 !r m0
    %11: f64 = add %7, %10
    continue[0] %11
  }
  return %5
}
