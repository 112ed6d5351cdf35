; What a row leaves at its end is what the next one begins with.
; pass: wavefront
; count: for = 4
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = const 2
  %7: i64 = sub %2, %6
  %8: i64 = sub %2, %5
  %9: f64 = const 0.25
  %10: bool = le %6, %2
  if %10 {
    for %4, %3, %5 {
    (%11: i64):
      %12: f64 = load_raw %0, %7
      %13: f64 = load_raw %1, %11
      %14: f64 = add %12, %13
      store_raw %0, %14, %4
      for %5, %8, %5 {
      (%15: i64):
        %16: i64 = sub %15, %5
        %17: f64 = load_raw %0, %16
        %18: i64 = add %15, %5
        %19: f64 = load_raw %0, %18
        %20: f64 = add %17, %19
        %21: f64 = mul %9, %20
        store_raw %0, %21, %15
        continue[0]
      }
      continue[0]
    }
    yield
  } else {
    for %4, %3, %5 {
    (%22: i64):
      %23: i64 = add %7, %2
      %24: u64 = cast %23
      %25: u64 = cast %2
      %26: bool = lt %24, %25
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %26, %7, %2
      %27: f64 = load_raw %0, %23
      %28: f64 = load_raw %1, %22
      %29: f64 = add %27, %28
      store_raw %0, %29, %4
      for %5, %8, %5 {
      (%30: i64):
        %31: i64 = sub %30, %5
        %32: f64 = load_raw %0, %31
        %33: i64 = add %30, %5
        %34: f64 = load_raw %0, %33
        %35: f64 = add %32, %34
        %36: f64 = mul %9, %35
        store_raw %0, %36, %30
        continue[0]
      }
      continue[0]
    }
    yield
  }
  return
}
