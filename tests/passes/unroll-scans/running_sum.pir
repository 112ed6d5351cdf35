; Four sums at a time, each of the last one of the four before and of what has come since.
; pass: unroll-scans
; count: for = 2
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0]) = [1.0, 3.0, 7.0, 15.0, 31.0, 63.0]
; run: @f([1.0, 2.0, 4.0]) = [1.0, 3.0, 7.0]
; run: @f([0.5, inf, 1.0, -inf, 2.0]) = [0.5, inf, inf, nan, nan]
func @f loop fast (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> = empty %1
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = for %4, %1, %5, %3 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7
    %10: f64 = add %8, %9
    store_raw %2, %10, %7
    continue[0] %10
  }
  return %2
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> in m1 = empty %1
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
  %15: f64 = for %4, %13, %14, %3 !r m0 !w m1 {
  (%16: i64, %17: f64):
    %18: i64 = const 0
    %19: i64 = add %16, %18
    %20: f64 = load_raw %0, %19 !r m0
    %21: f64 = add %17, %20
    store_raw %2, %21, %19 !w m1
    %22: i64 = const 1
    %23: i64 = add %16, %22
    %24: f64 = load_raw %0, %23 !r m0
    %25: f64 = add %20, %24
    %26: f64 = add %17, %25
    store_raw %2, %26, %23 !w m1
    %27: i64 = const 2
    %28: i64 = add %16, %27
    %29: f64 = load_raw %0, %28 !r m0
    %30: f64 = add %25, %29
    %31: f64 = add %17, %30
    store_raw %2, %31, %28 !w m1
    %32: i64 = const 3
    %33: i64 = add %16, %32
    %34: f64 = load_raw %0, %33 !r m0
    %35: f64 = add %30, %34
    %36: f64 = add %17, %35
    store_raw %2, %36, %33 !w m1
    continue[0] %36
  }
  %37: f64 = for %13, %1, %5, %15 !r m0 !w m1 {
  (%38: i64, %39: f64):
    %40: f64 = load_raw %0, %38 !r m0
    %41: f64 = add %39, %40
    store_raw %2, %41, %38 !w m1
    continue[0] %41
  }
  return %2
}
