; A maximum that each iteration stores, and one over all of how far below it a number is; NaN stays.
; pass: unroll-scans
; count: for = 2
; run: @f([1.0, 4.0, 2.0, 8.0, 3.0, 7.0]) = 5.0
; run: @f([4.0, 1.0]) = 3.0
; run: @f([1.0, nan, 2.0, 8.0, 3.0, 7.0]) = nan
func @f loop fast (%0: array<f64, 1>) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const -inf
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64, %7: f64 = for %4, %1, %5, %2, %3 {
  (%8: i64, %9: f64, %10: f64):
    %11: f64 = load_raw %0, %8
    %12: f64 = max %9, %11
    %13: f64 = sub %12, %11
    %14: f64 = max %13, %10
    continue[0] %12, %14
  }
  return %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const -inf
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: bool = lt %4, %1
  %7: i64 = sub %1, %4
  %8: i64 = const 0
  %9: i64 = select %6, %7, %8
  %10: i64 = max %9, %8
  %11: i64 = const -4
  %12: i64 = and %10, %11
  %13: i64 = add %4, %12
  %14: i64 = const 4
  %15: f64, %16: f64 = for %4, %13, %14, %2, %3 !r m0 {
  (%17: i64, %18: f64, %19: f64):
    %20: i64 = const 0
    %21: i64 = add %17, %20
    %22: f64 = load_raw %0, %21 !r m0
    %23: f64 = max %18, %22
    %24: f64 = sub %23, %22
    %25: f64 = max %24, %19
    %26: i64 = const 1
    %27: i64 = add %17, %26
    %28: f64 = load_raw %0, %27 !r m0
    %29: f64 = max %22, %28
    %30: f64 = max %18, %29
    %31: f64 = sub %30, %28
    %32: f64 = max %31, %24
    %33: f64 = max %32, %19
    %34: i64 = const 2
    %35: i64 = add %17, %34
    %36: f64 = load_raw %0, %35 !r m0
    %37: f64 = max %29, %36
    %38: f64 = max %18, %37
    %39: f64 = sub %38, %36
    %40: f64 = max %39, %32
    %41: f64 = max %40, %19
    %42: i64 = const 3
    %43: i64 = add %17, %42
    %44: f64 = load_raw %0, %43 !r m0
    %45: f64 = max %37, %44
    %46: f64 = max %18, %45
    %47: f64 = sub %46, %44
    %48: f64 = max %47, %40
    %49: f64 = max %48, %19
    continue[0] %46, %49
  }
  %50: f64, %51: f64 = for %13, %1, %5, %15, %16 !r m0 {
  (%52: i64, %53: f64, %54: f64):
    %55: f64 = load_raw %0, %52 !r m0
    %56: f64 = max %53, %55
    %57: f64 = sub %56, %55
    %58: f64 = max %57, %54
    continue[0] %56, %58
  }
  return %51
}
