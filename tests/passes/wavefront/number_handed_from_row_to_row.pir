; What the columns made begins the next row: rows stay one after the other.
; pass: wavefront
; count: for = 4
func @f loop fast (%0: array<f64, 2>, %1: array<f64, 2>) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[1] %1
  %6: f64 = const 0.0
  %7: i64 = const 0
  %8: i64 = const 1
  %9: f64 = const 0.5
  %10: bool = le %2, %4
  %11: bool = le %3, %5
  %12: bool = and %10, %11
  %13: f64 = if %12 {
    %14: f64 = for %7, %2, %8, %6 {
    (%15: i64, %16: f64):
      %17: f64 = for %7, %3, %8, %16 {
      (%18: i64, %19: f64):
        %20: f64 = mul %9, %19
        %21: f64 = load_raw %0, %15, %18
        %22: f64 = add %20, %21
        store_raw %1, %22, %15, %18
        continue[0] %22
      }
      continue[0] %17
    }
    yield %14
  } else {
    %23: f64 = for %7, %2, %8, %6 {
    (%24: i64, %25: f64):
      %26: f64 = for %7, %3, %8, %25 {
      (%27: i64, %28: f64):
        %29: f64 = mul %9, %28
        %30: f64 = load_raw %0, %24, %27
        %31: f64 = add %29, %30
        %32: bool = lt %24, %4
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %32, %24, %4
        %33: bool = lt %27, %5
        check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %33, %27, %5
        store_raw %1, %31, %24, %27
        continue[0] %31
      }
      continue[0] %26
    }
    yield %23
  }
  return
}
