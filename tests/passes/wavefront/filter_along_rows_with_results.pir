; A number that columns hand on; what a row does after them, and a count over all rows.
; pass: wavefront
; count: for = 13
func @f loop fast (%0: array<f64, 2>, %1: array<f64, 2>, %2: array<f64, 1>) -> (i64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[1] %0
  %5: i64 = dim[0] %1
  %6: i64 = dim[1] %1
  %7: i64 = dim[0] %2
  %8: i64 = const 0
  %9: i64 = const 1
  %10: f64 = const 0.0
  %11: f64 = const 0.5
  %12: bool = le %3, %5
  %13: bool = le %4, %6
  %14: bool = le %3, %7
  %15: bool = and %12, %13
  %16: bool = and %15, %14
  %17: i64 = if %16 {
    %18: i64 = for %8, %3, %9, %8 {
    (%19: i64, %20: i64):
      %21: i64, %22: f64 = for %8, %4, %9, %20, %10 {
      (%23: i64, %24: i64, %25: f64):
        %26: f64 = mul %11, %25
        %27: f64 = load_raw %0, %19, %23
        %28: f64 = add %26, %27
        store_raw %1, %28, %19, %23
        %29: bool = gt %27, %10
        %30: i64 = cast %29
        %31: i64 = add %24, %30
        continue[0] %31, %28
      }
      store_raw %2, %22, %19
      continue[0] %21
    }
    yield %18
  } else {
    %32: i64 = for %8, %3, %9, %8 {
    (%33: i64, %34: i64):
      %35: i64, %36: f64 = for %8, %4, %9, %34, %10 {
      (%37: i64, %38: i64, %39: f64):
        %40: f64 = mul %11, %39
        %41: f64 = load_raw %0, %33, %37
        %42: f64 = add %40, %41
        %43: bool = lt %33, %5
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %43, %33, %5
        %44: bool = lt %37, %6
        check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %44, %37, %6
        store_raw %1, %42, %33, %37
        %45: bool = gt %41, %10
        %46: i64 = cast %45
        %47: i64 = add %38, %46
        continue[0] %47, %42
      }
      %48: bool = lt %33, %7
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %48, %33, %7
      store_raw %2, %36, %33
      continue[0] %35
    }
    yield %32
  }
  return %17
}
