; One test before the parallel loop, and two copies of the whole nest.
; pass: version-loops
; count: pfor = 2
; count: for = 2
; count: check = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]], [10.0, 20.0]) = [50.0, 110.0]
; run: @f([[1.0, 2.0], [3.0, 4.0]], [10.0]) raises IndexError
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: array<f64, 1> in m2 = zeros %2
  %6: i64 = const 0
  %7: i64 = const 1
  %8: f64 = const 0.0
  pfor %6, %2, %7 !r m0|m1 !w m2 {
  (%9: i64):
    %10: f64 = for %6, %3, %7, %8 !r m0|m1 {
    (%11: i64, %12: f64):
      %13: f64 = load_raw %0, %9, %11 !r m0
      %14: bool = lt %11, %4
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %14, %11, %4
      %15: f64 = load_raw %1, %11 !r m1
      %16: f64 = mul %13, %15
      %17: f64 = add %12, %16
      continue[0] %17
    }
    store_raw %5, %10, %9 !w m2
    continue[0]
  }
  return %5
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: array<f64, 1> in m2 = zeros %2
  %6: i64 = const 0
  %7: i64 = const 1
  %8: f64 = const 0.0
  %9: bool = le %3, %4
  if %9 !r m0|m1 !w m2 {
    pfor %6, %2, %7 !r m0|m1 !w m2 {
    (%10: i64):
      %11: f64 = for %6, %3, %7, %8 !r m0|m1 {
      (%12: i64, %13: f64):
        %14: f64 = load_raw %0, %10, %12 !r m0
        %15: bool = lt %12, %4
        %16: f64 = load_raw %1, %12 !r m1
        %17: f64 = mul %14, %16
        %18: f64 = add %13, %17
        continue[0] %18
      }
      store_raw %5, %11, %10 !w m2
      continue[0]
    }
    yield
  } else {
    pfor %6, %2, %7 !r m0|m1 !w m2 {
    (%19: i64):
      %20: f64 = for %6, %3, %7, %8 !r m0|m1 {
      (%21: i64, %22: f64):
        %23: f64 = load_raw %0, %19, %21 !r m0
        %24: bool = lt %21, %4
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %24, %21, %4
        %25: f64 = load_raw %1, %21 !r m1
        %26: f64 = mul %23, %25
        %27: f64 = add %22, %26
        continue[0] %27
      }
      store_raw %5, %20, %19 !w m2
      continue[0]
    }
    yield
  }
  return %5
}
