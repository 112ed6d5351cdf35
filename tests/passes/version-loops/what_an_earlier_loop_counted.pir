; Both loops are copied; the second one's test asks for what the choice between the first one's copies gives.
; pass: version-loops
; count: for = 4
; run: @f([1.0, -2.0, 4.0], [8.0, 16.0], 3) = 27.0
; run: @f([1.0, -2.0, 4.0], [8.0], 3) raises IndexError
; run: @f([1.0, -2.0, 4.0], [8.0], 4) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = const 0
  %6: f64 = const 0.0
  %7: i64 = const 1
  %8: i64, %9: f64 = for %5, %2, %7, %5, %6 !r m0 {
  (%10: i64, %11: i64, %12: f64):
    %13: bool = lt %10, %3
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %13, %10, %3
    %14: f64 = load_raw %0, %10 !r m0
    %15: f64 = add %12, %14
    %16: bool = gt %14, %6
    %17: i64 = if %16 {
      %18: i64 = add %11, %7
      yield %18
    } else {
      yield %11
    }
    continue[0] %17, %15
  }
  %19: f64 = for %5, %8, %7, %9 !r m1 {
  (%20: i64, %21: f64):
    %22: bool = lt %20, %4
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %22, %20, %4
    %23: f64 = load_raw %1, %20 !r m1
    %24: f64 = add %21, %23
    continue[0] %24
  }
  return %19
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = const 0
  %6: f64 = const 0.0
  %7: i64 = const 1
  %8: bool = le %2, %3
  %9: i64, %10: f64 = if %8 !r m0 {
    %11: i64, %12: f64 = for %5, %2, %7, %5, %6 !r m0 {
    (%13: i64, %14: i64, %15: f64):
      %16: bool = lt %13, %3
      %17: f64 = load_raw %0, %13 !r m0
      %18: f64 = add %15, %17
      %19: bool = gt %17, %6
      %20: i64 = if %19 {
        %21: i64 = add %14, %7
        yield %21
      } else {
        yield %14
      }
      continue[0] %20, %18
    }
    yield %11, %12
  } else {
    %22: i64, %23: f64 = for %5, %2, %7, %5, %6 !r m0 {
    (%24: i64, %25: i64, %26: f64):
      %27: bool = lt %24, %3
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %27, %24, %3
      %28: f64 = load_raw %0, %24 !r m0
      %29: f64 = add %26, %28
      %30: bool = gt %28, %6
      %31: i64 = if %30 {
        %32: i64 = add %25, %7
        yield %32
      } else {
        yield %25
      }
      continue[0] %31, %29
    }
    yield %22, %23
  }
  %33: bool = le %9, %4
  %34: f64 = if %33 !r m1 {
    %35: f64 = for %5, %9, %7, %10 !r m1 {
    (%36: i64, %37: f64):
      %38: bool = lt %36, %4
      %39: f64 = load_raw %1, %36 !r m1
      %40: f64 = add %37, %39
      continue[0] %40
    }
    yield %35
  } else {
    %41: f64 = for %5, %9, %7, %10 !r m1 {
    (%42: i64, %43: f64):
      %44: bool = lt %42, %4
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %44, %42, %4
      %45: f64 = load_raw %1, %42 !r m1
      %46: f64 = add %43, %45
      continue[0] %46
    }
    yield %41
  }
  return %34
}
