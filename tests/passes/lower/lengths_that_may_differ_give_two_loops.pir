; pass: lower
; count: for = 2
; count: check = 1
; run: @f([1.0, 2.0], [3.0, 4.0]) = [4.0, 6.0]
; run: @f([1.0], [3.0, 4.0]) = [4.0, 5.0]
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0]) raises ValueError
func @f array fast (%0: array<f64, 1>, %1: array<f64, 1>) -> (array<f64, 1>) {
  %2: array<f64, 1> = add %0, %1
  return %2
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: bool = eq %2, %3
  %5: i64 = const 1
  %6: bool = eq %2, %5
  %7: bool = eq %3, %5
  %8: bool = or %6, %7
  %9: bool = or %4, %8
  %10: i64 = select %6, %3, %2
  check[ValueError, "operands could not be broadcast together with shapes ({0},) ({1},) "] %9, %2, %3
  %11: array<f64, 1> in m2 = empty %10
  %12: bool = eq %2, %3
  if %12 !r m0|m1 !w m2 {
    %13: i64 = const 0
    for %13, %10, %5 !r m0|m1 !w m2 {
    (%14: i64):
      %15: f64 = load_raw %0, %14 !r m0
      %16: f64 = load_raw %1, %14 !r m1
      %17: f64 = add %15, %16
      store_raw %11, %17, %14 !w m2
      continue[0]
    }
    yield
  } else {
    %18: i64 = const 8
    %19: i64 = const 0
    %20: bool = eq %2, %5
    %21: i64 = select %20, %19, %18
    %22: array<f64, 1> in m0 = raw_view %0, %19, %10, %21
    %23: bool = eq %3, %5
    %24: i64 = select %23, %19, %18
    %25: array<f64, 1> in m1 = raw_view %1, %19, %10, %24
    for %19, %10, %5 !r m0|m1 !w m2 {
    (%26: i64):
      %27: f64 = load_raw %22, %26 !r m0
      %28: f64 = load_raw %25, %26 !r m1
      %29: f64 = add %27, %28
      store_raw %11, %29, %26 !w m2
      continue[0]
    }
    yield
  }
  return %11
}
