; pass: prove-bounds
; count: check = 1
; run: @f([1.0, 2.0]) raises IndexError
; run: @f([-1.0, 2.0]) = [2.0, 2.0]
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = for %2, %1, %3, %2 !r m0 !w m0 {
  (%6: i64, %7: i64):
    %8: f64 = load_raw %0, %6 !r m0
    %9: bool = gt %8, %4
    %10: i64 = if %9 !w m0 {
      %11: i64 = add %7, %1
      %12: bool = lt %7, %2
      %13: i64 = select %12, %11, %7
      %14: u64 = cast %13
      %15: u64 = cast %1
      %16: bool = lt %14, %15
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %16, %7, %1
      store_raw %0, %8, %13 !w m0
      %17: i64 = const 2
      %18: i64 = add %7, %17
      yield %18
    } else {
      yield %7
    }
    continue[0] %10
  }
  return %0
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = for %2, %1, %3, %2 !r m0 !w m0 {
  (%6: i64, %7: i64):
    %8: f64 = load_raw %0, %6 !r m0
    %9: bool = gt %8, %4
    %10: i64 = if %9 !w m0 {
      %11: i64 = add %7, %1
      %12: bool = lt %7, %2
      %13: u64 = cast %7
      %14: u64 = cast %1
      %15: bool = lt %13, %14
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %15, %7, %1
      store_raw %0, %8, %7 !w m0
      %16: i64 = const 2
      %17: i64 = add %7, %16
      yield %17
    } else {
      yield %7
    }
    continue[0] %10
  }
  return %0
}
