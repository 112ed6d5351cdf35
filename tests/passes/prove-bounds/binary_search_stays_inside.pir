; pass: prove-bounds
; count: check = 0
; count: select = 0
; run: @f([1.0, 2.0, 4.0], 3.0) = 2
; run: @f([], 3.0) = 0
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 2
  %5: i64, %6: i64 = loop %3, %2 !r m0 {
  (%7: i64, %8: i64):
    %9: bool = lt %7, %8
    if %9 {
      yield
    } else {
      break[0] %7, %8
    }
    %10: i64 = add %7, %8
    %11: i64 = floordiv %10, %4
    %12: i64 = add %11, %2
    %13: bool = lt %11, %3
    %14: i64 = select %13, %12, %11
    %15: u64 = cast %14
    %16: u64 = cast %2
    %17: bool = lt %15, %16
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %17, %11, %2
    %18: f64 = load_raw %0, %14 !r m0
    %19: bool = lt %18, %1
    %20: i64, %21: i64 = if %19 {
      %22: i64 = const 1
      %23: i64 = add %11, %22
      yield %23, %8
    } else {
      yield %7, %11
    }
    continue[0] %20, %21
  }
  return %5
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 2
  %5: i64, %6: i64 = loop %3, %2 !r m0 {
  (%7: i64, %8: i64):
    %9: bool = lt %7, %8
    if %9 {
      yield
    } else {
      break[0] %7, %8
    }
    %10: i64 = add %7, %8
    %11: i64 = floordiv %10, %4
    %12: i64 = add %11, %2
    %13: bool = lt %11, %3
    %14: u64 = cast %11
    %15: u64 = cast %2
    %16: bool = lt %14, %15
    %17: f64 = load_raw %0, %11 !r m0
    %18: bool = lt %17, %1
    %19: i64, %20: i64 = if %18 {
      %21: i64 = const 1
      %22: i64 = add %11, %21
      yield %22, %8
    } else {
      yield %7, %11
    }
    continue[0] %19, %20
  }
  return %5
}
