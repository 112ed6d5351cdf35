; Where no element is touched in the branches there is nothing to gain.
; pass: peel
; count: for = 2
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: bool = le %2, %3
  if %6 {
    for %4, %2, %5 {
    (%7: i64):
      %8: bool = gt %7, %4
      %9: f64 = if %8 {
        %10: f64 = const 0.5
        yield %10
      } else {
        %11: f64 = const 2.0
        yield %11
      }
      %12: f64 = load_raw %0, %7
      %13: f64 = mul %12, %9
      store_raw %1, %13, %7
      continue[0]
    }
    yield
  } else {
    for %4, %2, %5 {
    (%14: i64):
      %15: bool = gt %14, %4
      %16: f64 = if %15 {
        %17: f64 = const 0.5
        yield %17
      } else {
        %18: f64 = const 2.0
        yield %18
      }
      %19: f64 = load_raw %0, %14
      %20: f64 = mul %19, %16
      %21: bool = lt %14, %3
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %21, %14, %3
      store_raw %1, %20, %14
      continue[0]
    }
    yield
  }
  return
}
