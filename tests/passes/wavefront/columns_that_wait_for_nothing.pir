; Columns that wait for nothing become vectors.
; pass: wavefront
; count: for = 4
func @f loop fast (%0: array<f64, 2>, %1: array<f64, 2>) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[1] %1
  %6: i64 = const 1
  %7: i64 = const 0
  %8: bool = le %2, %4
  %9: bool = le %3, %5
  %10: bool = and %8, %9
  if %10 {
    for %6, %2, %6 {
    (%11: i64):
      %12: i64 = sub %11, %6
      for %7, %3, %6 {
      (%13: i64):
        %14: f64 = load_raw %0, %12, %13
        %15: f64 = load_raw %1, %11, %13
        %16: f64 = add %14, %15
        store_raw %0, %16, %11, %13
        continue[0]
      }
      continue[0]
    }
    yield
  } else {
    for %6, %2, %6 {
    (%17: i64):
      %18: i64 = sub %17, %6
      for %7, %3, %6 {
      (%19: i64):
        %20: f64 = load_raw %0, %18, %19
        %21: bool = lt %17, %4
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %21, %17, %4
        %22: bool = lt %19, %5
        check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %22, %19, %5
        %23: f64 = load_raw %1, %17, %19
        %24: f64 = add %20, %23
        store_raw %0, %24, %17, %19
        continue[0]
      }
      continue[0]
    }
    yield
  }
  return
}
