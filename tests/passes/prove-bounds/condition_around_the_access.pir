; pass: prove-bounds
; count: check = 0
; count: select = 0
; run: @f([1.0, 2.0, 4.0], 1) = 2.0
; run: @f([1.0, 2.0, 4.0], -1) = 0.0
; run: @f([1.0, 2.0, 4.0], 3) = 0.0
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: bool = ge %1, %3
  %5: bool = if %4 {
    %6: bool = lt %1, %2
    yield %6
  } else {
    %7: bool = const false
    yield %7
  }
  if %5 !r m0 {
    %8: i64 = add %1, %2
    %9: bool = lt %1, %3
    %10: i64 = select %9, %8, %1
    %11: u64 = cast %10
    %12: u64 = cast %2
    %13: bool = lt %11, %12
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %13, %1, %2
    %14: f64 = load_raw %0, %10 !r m0
    return %14
  } else {
    yield
  }
  %15: f64 = const 0.0
  return %15
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: bool = ge %1, %3
  %5: u64 = cast %1
  %6: u64 = cast %2
  %7: bool = lt %5, %6
  if %7 !r m0 {
    %8: i64 = add %1, %2
    %9: bool = lt %1, %3
    %10: u64 = cast %1
    %11: u64 = cast %2
    %12: bool = lt %10, %11
    %13: f64 = load_raw %0, %1 !r m0
    return %13
  } else {
    yield
  }
  %14: f64 = const 0.0
  return %14
}
