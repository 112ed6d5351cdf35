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
  %11: i64 = const 2
  %12: i64 = floordiv %10, %11
  %13: i64 = add %12, %7
  %14: u64 = cast %13
  %15: i64 = const 70368744177664
  %16: u64 = cast %15
  %17: bool = lt %14, %16
  %18: i64 = const 2
  %19: i64 = mul %12, %18
  %20: i64 = const 2
  %21: i64 = add %19, %20
  %22: bool = le %21, %2
  %23: bool = lt %1, %2
  %24: bool = or %22, %23
  %25: bool = and %17, %24
  %26: f64 = if %25 !r m0 {
    %27: f64 = for %4, %1, %5, %3 !r m0 {
    (%28: i64, %29: f64):
      %30: i64 = add %28, %6
      %31: bool = lt %30, %2
      %32: f64 = load_raw %0, %30 !r m0
      %33: f64 = add %29, %32
      continue[0] %33
    }
    yield %27
  } else {
    %34: f64 = for %4, %1, %5, %3 !r m0 {
    (%35: i64, %36: f64):
      %37: i64 = add %35, %6
      %38: bool = lt %37, %2
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %38, %37, %2
      %39: f64 = load_raw %0, %37 !r m0
      %40: f64 = add %36, %39
      continue[0] %40
    }
    yield %34
  }
  return %26
}
