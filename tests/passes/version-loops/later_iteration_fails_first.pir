; The first array is too short for the third iteration, the second for the second: the loop that checks says so.
; pass: version-loops
; count: for = 2
; run: @f([1.0, 2.0], [1.0], 3) raises IndexError
; run: @f([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 3) = 14.0
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: f64 = const 0.0
  %6: i64 = const 0
  %7: i64 = const 1
  %8: f64 = for %6, %2, %7, %5 !r m0|m1 {
  (%9: i64, %10: f64):
    %11: bool = lt %9, %3
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %11, %9, %3
    %12: f64 = load_raw %0, %9 !r m0
    %13: bool = lt %9, %4
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %13, %9, %4
    %14: f64 = load_raw %1, %9 !r m1
    %15: f64 = mul %12, %14
    %16: f64 = add %10, %15
    continue[0] %16
  }
  return %8
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: f64 = const 0.0
  %6: i64 = const 0
  %7: i64 = const 1
  %8: bool = le %2, %3
  %9: bool = le %2, %4
  %10: bool = le %3, %4
  %11: bool = or %9, %10
  %12: bool = and %8, %11
  %13: f64 = if %12 !r m0|m1 {
    %14: f64 = for %6, %2, %7, %5 !r m0|m1 {
    (%15: i64, %16: f64):
      %17: bool = lt %15, %3
      %18: f64 = load_raw %0, %15 !r m0
      %19: bool = lt %15, %4
      %20: f64 = load_raw %1, %15 !r m1
      %21: f64 = mul %18, %20
      %22: f64 = add %16, %21
      continue[0] %22
    }
    yield %14
  } else {
    %23: f64 = for %6, %2, %7, %5 !r m0|m1 {
    (%24: i64, %25: f64):
      %26: bool = lt %24, %3
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %26, %24, %3
      %27: f64 = load_raw %0, %24 !r m0
      %28: bool = lt %24, %4
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %28, %24, %4
      %29: f64 = load_raw %1, %24 !r m1
      %30: f64 = mul %27, %29
      %31: f64 = add %25, %30
      continue[0] %31
    }
    yield %23
  }
  return %13
}
