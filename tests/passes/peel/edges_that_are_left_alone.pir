; The first and the last iteration do something else.
; pass: peel
; count: for = 2
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: bool = le %2, %3
  %7: i64 = add %3, %5
  %8: bool = le %2, %7
  %9: bool = or %6, %8
  %10: bool = and %6, %9
  if %10 {
    for %4, %2, %5 {
    (%11: i64):
      %12: bool = eq %11, %4
      %13: bool = if %12 {
        %14: bool = const true
        yield %14
      } else {
        %15: i64 = sub %2, %5
        %16: bool = eq %11, %15
        yield %16
      }
      if %13 {
        %17: f64 = load_raw %0, %11
        store_raw %1, %17, %11
        yield
      } else {
        %18: f64 = load_raw %0, %11
        %19: f64 = const 0.5
        %20: f64 = mul %18, %19
        store_raw %1, %20, %11
        yield
      }
      continue[0]
    }
    yield
  } else {
    for %4, %2, %5 {
    (%21: i64):
      %22: bool = eq %21, %4
      %23: bool = if %22 {
        %24: bool = const true
        yield %24
      } else {
        %25: i64 = sub %2, %5
        %26: bool = eq %21, %25
        yield %26
      }
      if %23 {
        %27: f64 = load_raw %0, %21
        %28: bool = lt %21, %3
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %28, %21, %3
        store_raw %1, %27, %21
        yield
      } else {
        %29: f64 = load_raw %0, %21
        %30: f64 = const 0.5
        %31: f64 = mul %29, %30
        %32: bool = lt %21, %3
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %32, %21, %3
        store_raw %1, %31, %21
        yield
      }
      continue[0]
    }
    yield
  }
  return
}
