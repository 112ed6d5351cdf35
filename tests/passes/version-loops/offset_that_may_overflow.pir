; pass: version-loops
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0], 2, 1) = 6.0
; run: @f([1.0, 2.0, 4.0], 2, -1) = 5.0
; run: @f([1.0, 2.0, 4.0], 3, 1) raises IndexError
; run: @f([1.0, 2.0, 4.0], 3, 9223372036854775807) raises IndexError
; run: @f([1.0, 2.0, 4.0], 3, -9223372036854775808) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %1, %6, %4 !r m0 {
  (%8: i64, %9: f64):
    %10: i64 = add %8, %2
    %11: i64 = add %10, %3
    %12: bool = lt %10, %5
    %13: i64 = select %12, %11, %10
    %14: u64 = cast %13
    %15: u64 = cast %3
    %16: bool = lt %14, %15
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %16, %10, %3
    %17: f64 = load_raw %0, %13 !r m0
    %18: f64 = add %9, %17
    continue[0] %18
  }
  return %7
}
