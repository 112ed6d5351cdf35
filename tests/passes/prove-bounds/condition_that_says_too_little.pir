; pass: prove-bounds
; count: check = 1
; run: @f([1.0, 2.0, 4.0], -3) = 1.0
; run: @f([1.0, 2.0, 4.0], -4) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: bool = lt %1, %2
  if %3 !r m0 {
    %4: i64 = add %1, %2
    %5: i64 = const 0
    %6: bool = lt %1, %5
    %7: i64 = select %6, %4, %1
    %8: u64 = cast %7
    %9: u64 = cast %2
    %10: bool = lt %8, %9
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %10, %1, %2
    %11: f64 = load_raw %0, %7 !r m0
    return %11
  } else {
    yield
  }
  %12: f64 = const 0.0
  return %12
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: bool = lt %1, %2
  if %3 !r m0 {
    %4: i64 = add %1, %2
    %5: i64 = const 0
    %6: bool = lt %1, %5
    %7: i64 = select %6, %4, %1
    %8: u64 = cast %7
    %9: u64 = cast %2
    %10: bool = lt %8, %9
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %10, %1, %2
    %11: f64 = load_raw %0, %7 !r m0
    return %11
  } else {
    yield
  }
  %12: f64 = const 0.0
  return %12
}
