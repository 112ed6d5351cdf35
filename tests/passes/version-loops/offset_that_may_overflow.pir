; pass: version-loops
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0], 2, 1) = 6.0
; run: @f([1.0, 2.0, 4.0], 2, -1) = 5.0
; run: @f([1.0, 2.0, 4.0], 3, 1) raises IndexError
; run: @f([1.0, 2.0, 4.0], 3, 9223372036854775807) raises IndexError
; run: @f([1.0, 2.0, 4.0], 3, -9223372036854775808) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %1, %6, %4 !r m0 {
  (%8: i64, %9: f64):
    %10: i64 = add %8, %2
    %11: i64 = add %10, %3
    %12: bool = lt %10, %5
    %13: i64 = select %12, %11, %10
    %14: u64 = cast %13
    %15: u64 = cast %3
    %16: bool = lt %14, %15
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %16, %10, %3
    %17: f64 = load_raw %0, %13 !r m0
    %18: f64 = add %9, %17
    continue[0] %18
  }
  return %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: i64 = const 35184372088832
  %8: i64 = add %1, %7
  %9: u64 = cast %8
  %10: i64 = const 70368744177664
  %11: u64 = cast %10
  %12: bool = lt %9, %11
  %13: i64 = const 35184372088832
  %14: i64 = add %2, %13
  %15: u64 = cast %14
  %16: i64 = const 70368744177664
  %17: u64 = cast %16
  %18: bool = lt %15, %17
  %19: i64 = add %1, %2
  %20: bool = le %19, %3
  %21: i64 = const 0
  %22: bool = le %21, %2
  %23: bool = and %12, %18
  %24: bool = and %23, %20
  %25: bool = and %24, %22
  %26: f64 = if %25 !r m0 {
    %27: f64 = for %5, %1, %6, %4 !r m0 {
    (%28: i64, %29: f64):
      %30: i64 = add %28, %2
      %31: i64 = add %30, %3
      %32: bool = lt %30, %5
      %33: i64 = select %32, %31, %30
      %34: u64 = cast %30
      %35: u64 = cast %3
      %36: bool = lt %34, %35
      %37: f64 = load_raw %0, %30 !r m0
      %38: f64 = add %29, %37
      continue[0] %38
    }
    yield %27
  } else {
    %39: f64 = for %5, %1, %6, %4 !r m0 {
    (%40: i64, %41: f64):
      %42: i64 = add %40, %2
      %43: i64 = add %42, %3
      %44: bool = lt %42, %5
      %45: i64 = select %44, %43, %42
      %46: u64 = cast %45
      %47: u64 = cast %3
      %48: bool = lt %46, %47
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %48, %42, %3
      %49: f64 = load_raw %0, %45 !r m0
      %50: f64 = add %41, %49
      continue[0] %50
    }
    yield %39
  }
  return %26
}
