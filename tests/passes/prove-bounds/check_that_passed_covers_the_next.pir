; Both arrays have the same length.
; pass: prove-bounds
; count: check = 2
; run: @f(3, 2) = 0.0
; run: @f(3, -1) = 0.0
; run: @f(3, 3) raises IndexError
func @f loop fast (%0: i64, %1: i64) -> (f64) {
  %2: array<f64, 1> in m0 = zeros %0
  %3: array<f64, 1> in m1 = zeros %0
  %4: i64 = const 0
  %5: bool = lt %4, %0
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %5, %4, %0
  %6: f64 = load_raw %2, %4 !r m0
  %7: f64 = const 1.0
  %8: f64 = add %6, %7
  store_raw %2, %8, %4 !w m0
  %9: i64 = add %1, %0
  %10: bool = lt %1, %4
  %11: i64 = select %10, %9, %1
  %12: u64 = cast %11
  %13: u64 = cast %0
  %14: bool = lt %12, %13
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %14, %1, %0
  %15: f64 = load_raw %2, %11 !r m0
  %16: f64 = const 0.0
  %17: f64 = add %15, %16
  store_raw %2, %17, %11 !w m0
  %18: f64 = load_raw %3, %11 !r m1
  %19: f64 = add %18, %7
  store_raw %3, %19, %11 !w m1
  %20: bool = eq %1, %4
  %21: f64 = if %20 !r m0 {
    %22: f64 = load_raw %2, %11 !r m0
    %23: f64 = sub %22, %7
    yield %23
  } else {
    %24: f64 = load_raw %2, %11 !r m0
    yield %24
  }
  return %21
}
; ---- after
func @f loop fast (%0: i64, %1: i64) -> (f64) {
  %2: array<f64, 1> in m0 = zeros %0
  %3: array<f64, 1> in m1 = zeros %0
  %4: i64 = const 0
  %5: bool = lt %4, %0
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %5, %4, %0
  %6: f64 = load_raw %2, %4 !r m0
  %7: f64 = const 1.0
  %8: f64 = add %6, %7
  store_raw %2, %8, %4 !w m0
  %9: i64 = add %1, %0
  %10: bool = lt %1, %4
  %11: i64 = select %10, %9, %1
  %12: u64 = cast %11
  %13: u64 = cast %0
  %14: bool = lt %12, %13
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %14, %1, %0
  %15: f64 = load_raw %2, %11 !r m0
  %16: f64 = const 0.0
  %17: f64 = add %15, %16
  store_raw %2, %17, %11 !w m0
  %18: f64 = load_raw %3, %11 !r m1
  %19: f64 = add %18, %7
  store_raw %3, %19, %11 !w m1
  %20: bool = eq %1, %4
  %21: f64 = if %20 !r m0 {
    %22: f64 = load_raw %2, %11 !r m0
    %23: f64 = sub %22, %7
    yield %23
  } else {
    %24: f64 = load_raw %2, %11 !r m0
    yield %24
  }
  return %21
}
