; What int32 numbers are compared with holds of the same numbers as int64.
; pass: prove-bounds
; count: check = 0
; count: select = 0
; run: @f([1.0, 2.0, 4.0], 0, 2) = 4.0
; run: @f([1.0, 2.0, 4.0], -1, 2) = 0.0
; run: @f([1.0, 2.0, 4.0], 2, 2) = 0.0
func @f loop fast (%0: array<f64, 1> in m0, %1: i32, %2: i32) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = const 0
  %5: i64 = cast %2
  %6: bool = lt %5, %3
  %7: i32 = const 0
  %8: bool = ge %1, %7
  %9: bool = gt %2, %1
  %10: bool = and %8, %9
  %11: bool = and %6, %10
  if %11 !r m0 {
    %12: i64 = cast %2
    %13: i64 = add %12, %3
    %14: bool = lt %12, %4
    %15: i64 = select %14, %13, %12
    %16: u64 = cast %15
    %17: u64 = cast %3
    %18: bool = lt %16, %17
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %12, %3
    %19: f64 = load_raw %0, %15 !r m0
    return %19
  } else {
    yield
  }
  %20: f64 = const 0.0
  return %20
}
