; `i + k` wraps for great k, so nothing is known of it.
; pass: prove-bounds
; count: check = 1
; run: @f([1.0, 2.0, 4.0], 1) = 6.0
; run: @f([1.0, 2.0, 4.0], 9223372036854775807) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: bool = ge %1, %4
  %6: f64 = if %5 !r m0 {
    %7: i64 = const 1
    %8: i64 = sub %2, %7
    %9: f64 = for %4, %8, %7, %3 !r m0 {
    (%10: i64, %11: f64):
      %12: i64 = add %10, %1
      %13: i64 = add %12, %2
      %14: bool = lt %12, %4
      %15: i64 = select %14, %13, %12
      %16: u64 = cast %15
      %17: u64 = cast %2
      %18: bool = lt %16, %17
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %12, %2
      %19: f64 = load_raw %0, %15 !r m0
      %20: f64 = add %11, %19
      continue[0] %20
    }
    yield %9
  } else {
    yield %3
  }
  return %6
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: bool = ge %1, %4
  %6: f64 = if %5 !r m0 {
    %7: i64 = const 1
    %8: i64 = sub %2, %7
    %9: f64 = for %4, %8, %7, %3 !r m0 {
    (%10: i64, %11: f64):
      %12: i64 = add %10, %1
      %13: i64 = add %12, %2
      %14: bool = lt %12, %4
      %15: i64 = select %14, %13, %12
      %16: u64 = cast %15
      %17: u64 = cast %2
      %18: bool = lt %16, %17
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %12, %2
      %19: f64 = load_raw %0, %15 !r m0
      %20: f64 = add %11, %19
      continue[0] %20
    }
    yield %9
  } else {
    yield %3
  }
  return %6
}
