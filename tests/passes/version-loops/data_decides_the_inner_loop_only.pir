; What is loaded in the outer loop is tested once for each row.
; pass: version-loops
; count: check in loops = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1, -1]) = 14.0
; run: @f([[1.0, 2.0], [3.0, 4.0]], [0, 1, 1]) = 17.0
; run: @f([[1.0, 2.0]], [1]) raises IndexError
func @f loop fast (%0: array<f64, 2> in m0, %1: array<i64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: f64 = const 0.0
  %6: i64 = const 0
  %7: i64 = const 1
  %8: f64 = for %6, %4, %7, %5 !r m0|m1 {
  (%9: i64, %10: f64):
    %11: i64 = load_raw %1, %9 !r m1
    %12: f64 = for %6, %3, %7, %10 !r m0 {
    (%13: i64, %14: f64):
      %15: i64 = add %11, %2
      %16: bool = lt %11, %6
      %17: i64 = select %16, %15, %11
      %18: u64 = cast %17
      %19: u64 = cast %2
      %20: bool = lt %18, %19
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %20, %11, %2
      %21: f64 = load_raw %0, %17, %13 !r m0
      %22: f64 = add %14, %21
      continue[0] %22
    }
    continue[0] %12
  }
  return %8
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<i64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: f64 = const 0.0
  %6: i64 = const 0
  %7: i64 = const 1
  %8: f64 = for %6, %4, %7, %5 !r m0|m1 {
  (%9: i64, %10: f64):
    %11: i64 = load_raw %1, %9 !r m1
    %12: bool = lt %11, %2
    %13: i64 = const 0
    %14: bool = le %13, %11
    %15: bool = and %12, %14
    %16: f64 = if %15 !r m0 {
      %17: f64 = for %6, %3, %7, %10 !r m0 {
      (%18: i64, %19: f64):
        %20: i64 = add %11, %2
        %21: bool = lt %11, %6
        %22: i64 = select %21, %20, %11
        %23: u64 = cast %11
        %24: u64 = cast %2
        %25: bool = lt %23, %24
        %26: f64 = load_raw %0, %11, %18 !r m0
        %27: f64 = add %19, %26
        continue[0] %27
      }
      yield %17
    } else {
      %28: f64 = for %6, %3, %7, %10 !r m0 {
      (%29: i64, %30: f64):
        %31: i64 = add %11, %2
        %32: bool = lt %11, %6
        %33: i64 = select %32, %31, %11
        %34: u64 = cast %33
        %35: u64 = cast %2
        %36: bool = lt %34, %35
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %36, %11, %2
        %37: f64 = load_raw %0, %33, %29 !r m0
        %38: f64 = add %30, %37
        continue[0] %38
      }
      yield %28
    }
    continue[0] %16
  }
  return %8
}
