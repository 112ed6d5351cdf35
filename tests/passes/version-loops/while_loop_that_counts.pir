; pass: version-loops
; count: loop = 2
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0], 2) = 3.0
; run: @f([1.0, 2.0, 4.0], 4) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: f64 = const 0.0
  %5: i64 = const 1
  %6: i64, %7: f64 = loop %3, %4 !r m0 {
  (%8: i64, %9: f64):
    %10: bool = lt %8, %1
    if %10 {
      yield
    } else {
      break[0] %8, %9
    }
    %11: i64 = add %8, %2
    %12: bool = lt %8, %3
    %13: u64 = cast %8
    %14: u64 = cast %2
    %15: bool = lt %13, %14
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %15, %8, %2
    %16: f64 = load_raw %0, %8 !r m0
    %17: f64 = add %9, %16
    %18: i64 = add %8, %5
    continue[0] %18, %17
  }
  return %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: f64 = const 0.0
  %5: i64 = const 1
  %6: bool = le %1, %2
  %7: i64, %8: f64 = if %6 !r m0 {
    %9: i64, %10: f64 = loop %3, %4 !r m0 {
    (%11: i64, %12: f64):
      %13: bool = lt %11, %1
      if %13 {
        yield
      } else {
        break[0] %11, %12
      }
      %14: i64 = add %11, %2
      %15: bool = lt %11, %3
      %16: u64 = cast %11
      %17: u64 = cast %2
      %18: bool = lt %16, %17
      %19: f64 = load_raw %0, %11 !r m0
      %20: f64 = add %12, %19
      %21: i64 = add %11, %5
      continue[0] %21, %20
    }
    yield %9, %10
  } else {
    %22: i64, %23: f64 = loop %3, %4 !r m0 {
    (%24: i64, %25: f64):
      %26: bool = lt %24, %1
      if %26 {
        yield
      } else {
        break[0] %24, %25
      }
      %27: i64 = add %24, %2
      %28: bool = lt %24, %3
      %29: u64 = cast %24
      %30: u64 = cast %2
      %31: bool = lt %29, %30
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %31, %24, %2
      %32: f64 = load_raw %0, %24 !r m0
      %33: f64 = add %25, %32
      %34: i64 = add %24, %5
      continue[0] %34, %33
    }
    yield %22, %23
  }
  return %8
}
