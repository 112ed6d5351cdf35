; Of an even length, the last index is one less than the one before the stop.
; pass: version-loops
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0, 8.0], 4) = 10.0
; run: @f([1.0, 2.0, 4.0], 3) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 2
  %6: i64 = const 1
  %7: f64 = for %4, %1, %5, %3 !r m0 {
  (%8: i64, %9: f64):
    %10: i64 = add %8, %6
    %11: bool = lt %10, %2
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %11, %10, %2
    %12: f64 = load_raw %0, %10 !r m0
    %13: f64 = add %9, %12
    continue[0] %13
  }
  return %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 2
  %6: i64 = const 1
  %7: i64 = const 35184372088832
  %8: i64 = const 1
  %9: i64 = sub %1, %4
  %10: i64 = sub %9, %8
  %11: i64 = floordiv %10, %5
  %12: i64 = add %11, %7
  %13: u64 = cast %12
  %14: i64 = const 70368744177664
  %15: u64 = cast %14
  %16: bool = lt %13, %15
  %17: i64 = const 2
  %18: i64 = mul %11, %17
  %19: i64 = const 2
  %20: i64 = add %18, %19
  %21: bool = le %20, %2
  %22: bool = lt %1, %2
  %23: bool = or %21, %22
  %24: bool = and %16, %23
  %25: f64 = if %24 !r m0 {
    %26: f64 = for %4, %1, %5, %3 !r m0 {
    (%27: i64, %28: f64):
      %29: i64 = add %27, %6
      %30: bool = lt %29, %2
      %31: f64 = load_raw %0, %29 !r m0
      %32: f64 = add %28, %31
      continue[0] %32
    }
    yield %26
  } else {
    %33: f64 = for %4, %1, %5, %3 !r m0 {
    (%34: i64, %35: f64):
      %36: i64 = add %34, %6
      %37: bool = lt %36, %2
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %37, %36, %2
      %38: f64 = load_raw %0, %36 !r m0
      %39: f64 = add %35, %38
      continue[0] %39
    }
    yield %33
  }
  return %25
}
