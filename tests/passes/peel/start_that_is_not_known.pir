; The start of the range is a number of the caller's.
; pass: peel
; count: for = 2
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>, %2: i64) -> () {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = const 1
  %6: i64 = const 35184372088832
  %7: i64 = add %2, %6
  %8: u64 = cast %7
  %9: i64 = const 70368744177664
  %10: u64 = cast %9
  %11: bool = lt %8, %10
  %12: i64 = const 0
  %13: bool = le %12, %2
  %14: i64 = add %2, %5
  %15: bool = le %12, %14
  %16: bool = or %13, %15
  %17: bool = le %3, %4
  %18: bool = and %11, %16
  %19: bool = and %18, %17
  if %19 {
    for %2, %3, %5 {
    (%20: i64):
      %21: bool = gt %20, %2
      if %21 {
        %22: f64 = load_raw %0, %20
        %23: f64 = const 0.5
        %24: f64 = mul %22, %23
        store_raw %1, %24, %20
        yield
      } else {
        yield
      }
      continue[0]
    }
    yield
  } else {
    for %2, %3, %5 {
    (%25: i64):
      %26: bool = gt %25, %2
      if %26 {
        %27: i64 = add %25, %3
        %28: bool = lt %25, %12
        %29: u64 = cast %3
        %30: u64 = cast %25
        %31: u64 = cast %3
        %32: bool = lt %30, %31
        %33: i64 = if %32 {
          yield %25
        } else {
          %34: i64 = add %25, %3
          %35: u64 = cast %34
          %36: u64 = cast %3
          %37: bool = lt %35, %36
          check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %37, %25, %3
          yield %34
        }
        %38: f64 = load_raw %0, %33
        %39: f64 = const 0.5
        %40: f64 = mul %38, %39
        %41: i64 = add %25, %4
        %42: u64 = cast %4
        %43: u64 = cast %25
        %44: u64 = cast %4
        %45: bool = lt %43, %44
        %46: i64 = if %45 {
          yield %25
        } else {
          %47: i64 = add %25, %4
          %48: u64 = cast %47
          %49: u64 = cast %4
          %50: bool = lt %48, %49
          check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %50, %25, %4
          yield %47
        }
        store_raw %1, %40, %46
        yield
      } else {
        yield
      }
      continue[0]
    }
    yield
  }
  return
}
