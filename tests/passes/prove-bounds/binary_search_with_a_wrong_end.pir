; pass: prove-bounds
; count: check = 1
; run: @f([1.0, 2.0, 4.0], 3.0) = 2
; run: @f([1.0, 2.0, 4.0], 5.0) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = add %2, %4
  %6: i64 = const 2
  %7: i64, %8: i64 = loop %3, %5 !r m0 {
  (%9: i64, %10: i64):
    %11: bool = lt %9, %10
    if %11 {
      yield
    } else {
      break[0] %9, %10
    }
    %12: i64 = add %9, %10
    %13: i64 = floordiv %12, %6
    %14: i64 = add %13, %2
    %15: bool = lt %13, %3
    %16: i64 = select %15, %14, %13
    %17: u64 = cast %16
    %18: u64 = cast %2
    %19: bool = lt %17, %18
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %19, %13, %2
    %20: f64 = load_raw %0, %16 !r m0
    %21: bool = lt %20, %1
    %22: i64, %23: i64 = if %21 {
      %24: i64 = add %13, %4
      yield %24, %10
    } else {
      yield %9, %13
    }
    continue[0] %22, %23
  }
  return %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = add %2, %4
  %6: i64 = const 2
  %7: i64, %8: i64 = loop %3, %5 !r m0 {
  (%9: i64, %10: i64):
    %11: bool = lt %9, %10
    if %11 {
      yield
    } else {
      break[0] %9, %10
    }
    %12: i64 = add %9, %10
    %13: i64 = floordiv %12, %6
    %14: i64 = add %13, %2
    %15: bool = lt %13, %3
    %16: u64 = cast %13
    %17: u64 = cast %2
    %18: bool = lt %16, %17
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %13, %2
    %19: f64 = load_raw %0, %13 !r m0
    %20: bool = lt %19, %1
    %21: i64, %22: i64 = if %20 {
      %23: i64 = add %13, %4
      yield %23, %10
    } else {
      yield %9, %13
    }
    continue[0] %21, %22
  }
  return %7
}
