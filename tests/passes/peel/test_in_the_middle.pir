; A test far from both ends stays.
; pass: peel
; count: for = 2
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = const 30
  %7: bool = le %2, %3
  if %7 {
    for %4, %2, %5 {
    (%8: i64):
      %9: bool = gt %8, %6
      if %9 {
        %10: f64 = load_raw %0, %8
        %11: f64 = const 0.5
        %12: f64 = mul %10, %11
        store_raw %1, %12, %8
        yield
      } else {
        yield
      }
      continue[0]
    }
    yield
  } else {
    for %4, %2, %5 {
    (%13: i64):
      %14: bool = gt %13, %6
      if %14 {
        %15: f64 = load_raw %0, %13
        %16: f64 = const 0.5
        %17: f64 = mul %15, %16
        %18: bool = lt %13, %3
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %13, %3
        store_raw %1, %17, %13
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
