; `i + 1` of int32 wraps at its end, and a cast to int8 may keep other bits than the number's: neither is known to be in bounds.
; pass: prove-bounds
; count: check = 2
; run: @f([1.0, 2.0, 4.0], 0) = 3.0
; run: @f([1.0, 2.0, 4.0], 2147483647) raises IndexError
; run: @f([1.0, 2.0, 4.0], 2) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i32) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i32 = const 0
  %5: bool = ge %1, %4
  %6: f64 = if %5 !r m0 {
    %7: i32 = const 1
    %8: i32 = add %1, %7
    %9: i64 = cast %8
    %10: u64 = cast %9
    %11: u64 = cast %2
    %12: bool = lt %10, %11
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %12, %9, %2
    %13: f64 = load_raw %0, %9 !r m0
    %14: i8 = cast %1
    %15: i64 = cast %14
    %16: u64 = cast %15
    %17: u64 = cast %2
    %18: bool = lt %16, %17
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %15, %2
    %19: f64 = load_raw %0, %15 !r m0
    %20: f64 = add %13, %19
    yield %20
  } else {
    yield %3
  }
  return %6
}
