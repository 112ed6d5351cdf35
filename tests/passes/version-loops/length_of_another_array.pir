; pass: version-loops
; count: check in loops = 1
; count: for = 2
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0]) = 11.0
; run: @f([], []) = 0.0
; run: @f([1.0, 2.0], [3.0]) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %2, %6, %4 !r m0|m1 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: bool = lt %8, %3
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %11, %8, %3
    %12: f64 = load_raw %1, %8 !r m1
    %13: f64 = mul %10, %12
    %14: f64 = add %9, %13
    continue[0] %14
  }
  return %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: bool = le %2, %3
  %8: f64 = if %7 !r m0|m1 {
    %9: f64 = for %5, %2, %6, %4 !r m0|m1 {
    (%10: i64, %11: f64):
      %12: f64 = load_raw %0, %10 !r m0
      %13: bool = lt %10, %3
      %14: f64 = load_raw %1, %10 !r m1
      %15: f64 = mul %12, %14
      %16: f64 = add %11, %15
      continue[0] %16
    }
    yield %9
  } else {
    %17: f64 = for %5, %2, %6, %4 !r m0|m1 {
    (%18: i64, %19: f64):
      %20: f64 = load_raw %0, %18 !r m0
      %21: bool = lt %18, %3
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %21, %18, %3
      %22: f64 = load_raw %1, %18 !r m1
      %23: f64 = mul %20, %22
      %24: f64 = add %19, %23
      continue[0] %24
    }
    yield %17
  }
  return %8
}
