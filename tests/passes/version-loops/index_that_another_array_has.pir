; What is an index of the first array, from either end, is one of the second, if that is no shorter. To ask
; whether it is never negative would ask for an empty array, so the choice stays.
; pass: version-loops
; count: for = 2
; count: select = 4
; count: check = 3
; run: @f([1.0, 2.0], [3.0, 4.0], [0, -1]) = 10.0
; run: @f([1.0, 2.0], [3.0], [-2]) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: array<i64, 1> in m2) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[0] %2
  %6: f64 = const 0.0
  %7: i64 = const 0
  %8: i64 = const 1
  %9: f64 = for %7, %5, %8, %6 !r m0|m1|m2 {
  (%10: i64, %11: f64):
    %12: i64 = load_raw %2, %10 !r m2
    %13: i64 = add %12, %3
    %14: bool = lt %12, %7
    %15: i64 = select %14, %13, %12
    %16: u64 = cast %15
    %17: u64 = cast %3
    %18: bool = lt %16, %17
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %12, %3
    %19: f64 = load_raw %0, %15 !r m0
    %20: f64 = add %11, %19
    %21: i64 = add %12, %4
    %22: bool = lt %12, %7
    %23: i64 = select %22, %21, %12
    %24: u64 = cast %23
    %25: u64 = cast %4
    %26: bool = lt %24, %25
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %26, %12, %4
    %27: f64 = load_raw %1, %23 !r m1
    %28: f64 = add %20, %27
    continue[0] %28
  }
  return %9
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: array<i64, 1> in m2) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[0] %2
  %6: f64 = const 0.0
  %7: i64 = const 0
  %8: i64 = const 1
  %9: bool = le %3, %4
  %10: f64 = if %9 !r m0|m1|m2 {
    %11: f64 = for %7, %5, %8, %6 !r m0|m1|m2 {
    (%12: i64, %13: f64):
      %14: i64 = load_raw %2, %12 !r m2
      %15: i64 = add %14, %3
      %16: bool = lt %14, %7
      %17: i64 = select %16, %15, %14
      %18: u64 = cast %17
      %19: u64 = cast %3
      %20: bool = lt %18, %19
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %20, %14, %3
      %21: f64 = load_raw %0, %17 !r m0
      %22: f64 = add %13, %21
      %23: i64 = add %14, %4
      %24: bool = lt %14, %7
      %25: i64 = select %24, %23, %14
      %26: u64 = cast %25
      %27: u64 = cast %4
      %28: bool = lt %26, %27
      %29: f64 = load_raw %1, %25 !r m1
      %30: f64 = add %22, %29
      continue[0] %30
    }
    yield %11
  } else {
    %31: f64 = for %7, %5, %8, %6 !r m0|m1|m2 {
    (%32: i64, %33: f64):
      %34: i64 = load_raw %2, %32 !r m2
      %35: i64 = add %34, %3
      %36: bool = lt %34, %7
      %37: i64 = select %36, %35, %34
      %38: u64 = cast %37
      %39: u64 = cast %3
      %40: bool = lt %38, %39
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %40, %34, %3
      %41: f64 = load_raw %0, %37 !r m0
      %42: f64 = add %33, %41
      %43: i64 = add %34, %4
      %44: bool = lt %34, %7
      %45: i64 = select %44, %43, %34
      %46: u64 = cast %45
      %47: u64 = cast %4
      %48: bool = lt %46, %47
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %48, %34, %4
      %49: f64 = load_raw %1, %45 !r m1
      %50: f64 = add %42, %49
      continue[0] %50
    }
    yield %31
  }
  return %10
}
