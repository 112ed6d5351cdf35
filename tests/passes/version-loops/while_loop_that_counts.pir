; pass: version-loops
; count: loop = 2
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0], 2) = 3.0
; run: @f([1.0, 2.0, 4.0], 4) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: f64 = const 0.0
  %5: i64 = const 1
  %6: i64, %7: f64 = loop %3, %4 !r m0 {
  (%8: i64, %9: f64):
    %10: bool = lt %8, %1
    if %10 {
      yield
    } else {
      break[0] %8, %9
    }
    %11: i64 = add %8, %2
    %12: bool = lt %8, %3
    %13: u64 = cast %8
    %14: u64 = cast %2
    %15: bool = lt %13, %14
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %15, %8, %2
    %16: f64 = load_raw %0, %8 !r m0
    %17: f64 = add %9, %16
    %18: i64 = add %8, %5
    continue[0] %18, %17
  }
  return %7
}
