; pass: prove-bounds
; count: check = 0
; count: select = 0
; run: @f(3) = 4.0
func @f loop fast (%0: i64) -> (f64) {
  %1: array<f64, 2> in m0 = zeros %0, %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  for %2, %0, %3 !w m0 {
  (%5: i64):
    %6: i64 = add %5, %3
    for %2, %6, %3 !w m0 {
    (%7: i64):
      store_raw %1, %4, %5, %7 !w m0
      store_raw %1, %4, %7, %5 !w m0
      continue[0]
    }
    continue[0]
  }
  %8: bool = gt %0, %2
  %9: f64 = if %8 !r m0 {
    %10: bool = lt %2, %0
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %10, %2, %0
    %11: f64 = load_raw %1, %2, %2 !r m0
    %12: i64 = sub %0, %3
    %13: i64 = add %12, %0
    %14: bool = lt %12, %2
    %15: i64 = select %14, %13, %12
    %16: u64 = cast %15
    %17: u64 = cast %0
    %18: bool = lt %16, %17
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %12, %0
    %19: f64 = load_raw %1, %15, %2 !r m0
    %20: f64 = add %11, %19
    %21: f64 = load_raw %1, %15, %15 !r m0
    %22: f64 = add %20, %21
    %23: f64 = load_raw %1, %2, %15 !r m0
    %24: f64 = add %22, %23
    yield %24
  } else {
    %25: f64 = const 0.0
    yield %25
  }
  return %9
}
; ---- after
func @f loop fast (%0: i64) -> (f64) {
  %1: array<f64, 2> in m0 = zeros %0, %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  for %2, %0, %3 !w m0 {
  (%5: i64):
    %6: i64 = add %5, %3
    for %2, %6, %3 !w m0 {
    (%7: i64):
      store_raw %1, %4, %5, %7 !w m0
      store_raw %1, %4, %7, %5 !w m0
      continue[0]
    }
    continue[0]
  }
  %8: bool = gt %0, %2
  %9: f64 = if %8 !r m0 {
    %10: bool = lt %2, %0
    %11: f64 = load_raw %1, %2, %2 !r m0
    %12: i64 = sub %0, %3
    %13: i64 = add %12, %0
    %14: bool = lt %12, %2
    %15: u64 = cast %12
    %16: u64 = cast %0
    %17: bool = lt %15, %16
    %18: f64 = load_raw %1, %12, %2 !r m0
    %19: f64 = add %11, %18
    %20: f64 = load_raw %1, %12, %12 !r m0
    %21: f64 = add %19, %20
    %22: f64 = load_raw %1, %2, %12 !r m0
    %23: f64 = add %21, %22
    yield %23
  } else {
    %24: f64 = const 0.0
    yield %24
  }
  return %9
}
