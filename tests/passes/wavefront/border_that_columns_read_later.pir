; What is written before the columns is what columns of the row above still load.
; pass: wavefront
; count: for = 4
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>, %2: i64) -> () {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = const 0
  %6: i64 = const 1
  %7: i64 = sub %3, %6
  %8: f64 = const 0.25
  %9: bool = lt %2, %3
  %10: bool = le %5, %2
  %11: bool = and %9, %10
  if %11 {
    for %5, %4, %6 {
    (%12: i64):
      %13: f64 = load_raw %1, %12
      store_raw %0, %13, %2
      for %6, %7, %6 {
      (%14: i64):
        %15: i64 = sub %14, %6
        %16: f64 = load_raw %0, %15
        %17: i64 = add %14, %6
        %18: f64 = load_raw %0, %17
        %19: f64 = add %16, %18
        %20: f64 = mul %8, %19
        store_raw %0, %20, %14
        continue[0]
      }
      continue[0]
    }
    yield
  } else {
    for %5, %4, %6 {
    (%21: i64):
      %22: f64 = load_raw %1, %21
      %23: i64 = add %2, %3
      %24: bool = lt %2, %5
      %25: u64 = cast %3
      %26: u64 = cast %2
      %27: u64 = cast %3
      %28: bool = lt %26, %27
      %29: i64 = if %28 {
        yield %2
      } else {
        %30: i64 = add %2, %3
        %31: u64 = cast %30
        %32: u64 = cast %3
        %33: bool = lt %31, %32
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %33, %2, %3
        yield %30
      }
      store_raw %0, %22, %29
      for %6, %7, %6 {
      (%34: i64):
        %35: i64 = sub %34, %6
        %36: f64 = load_raw %0, %35
        %37: i64 = add %34, %6
        %38: f64 = load_raw %0, %37
        %39: f64 = add %36, %38
        %40: f64 = mul %8, %39
        store_raw %0, %40, %34
        continue[0]
      }
      continue[0]
    }
    yield
  }
  return
}
