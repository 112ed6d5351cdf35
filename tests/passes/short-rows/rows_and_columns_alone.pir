; Nothing has elements by both indices: each sum is in a register while its column is gone through.
; pass: short-rows
; count: for = 4
; run: @f([1.0, 2.0, 3.0], [2.0, 10.0]) = [7.0, 30.0]
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: array<f64, 1> = zeros %3
  %5: i64 = const 0
  %6: i64 = const 1
  for %5, %2, %6 {
  (%7: i64):
    for %5, %3, %6 {
    (%8: i64):
      %9: f64 = load_raw %0, %7
      %10: f64 = load_raw %1, %8
      %11: f64 = max %9, %10
      %12: f64 = load_raw %4, %8
      %13: f64 = add %12, %11
      store_raw %4, %13, %8
      continue[0]
    }
    continue[0]
  }
  return %4
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: array<f64, 1> in m2 = zeros %3
  %5: i64 = const 0
  %6: i64 = const 1
  %7: i64 = const 16
  %8: i64 = const 256
  %9: bool = le %3, %7
  %10: bool = le %8, %2
  %11: bool = and %9, %10
  %12: i64 = if %11 !r m0|m1|m2 !w m2 {
    %13: i64 = const 0
    %14: i64 = const 1
    for %13, %3, %14 !r m0|m1|m2 !w m2 {
    (%15: i64):
      %16: f64 = load_raw %4, %15 !r m2
      %17: f64 = for %13, %2, %14, %16 !r m0|m1 {
      (%18: i64, %19: f64):
        %20: f64 = load_raw %0, %18 !r m0
        %21: f64 = load_raw %1, %15 !r m1
        %22: f64 = max %20, %21
        %23: f64 = add %19, %22
        continue[0] %23
      }
      store_raw %4, %17, %15 !w m2
      continue[0]
    }
    yield %2
  } else {
    %24: i64 = const 0
    yield %24
  }
  for %12, %2, %6 !r m0|m1|m2 !w m2 {
  (%25: i64):
    for %5, %3, %6 !r m0|m1|m2 !w m2 {
    (%26: i64):
      %27: f64 = load_raw %0, %25 !r m0
      %28: f64 = load_raw %1, %26 !r m1
      %29: f64 = max %27, %28
      %30: f64 = load_raw %4, %26 !r m2
      %31: f64 = add %30, %29
      store_raw %4, %31, %26 !w m2
      continue[0]
    }
    continue[0]
  }
  return %4
}
