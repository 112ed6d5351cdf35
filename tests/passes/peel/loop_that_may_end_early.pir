; What follows a loop that was left would run.
; pass: peel
; count: for = 2
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: bool = le %2, %3
  if %7 {
    for %4, %2, %5 {
    (%8: i64):
      %9: bool = gt %8, %4
      if %9 {
        %10: f64 = load_raw %0, %8
        %11: f64 = const 0.5
        %12: f64 = mul %10, %11
        store_raw %1, %12, %8
        yield
      } else {
        yield
      }
      %13: f64 = load_raw %0, %8
      %14: bool = lt %13, %6
      if %14 {
        break[0]
      } else {
        yield
      }
      continue[0]
    }
    yield
  } else {
    for %4, %2, %5 {
    (%15: i64):
      %16: bool = gt %15, %4
      if %16 {
        %17: f64 = load_raw %0, %15
        %18: f64 = const 0.5
        %19: f64 = mul %17, %18
        %20: bool = lt %15, %3
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %20, %15, %3
        store_raw %1, %19, %15
        yield
      } else {
        yield
      }
      %21: f64 = load_raw %0, %15
      %22: bool = lt %21, %6
      if %22 {
        break[0]
      } else {
        yield
      }
      continue[0]
    }
    yield
  }
  return
}
