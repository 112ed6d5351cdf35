; The store right before the break goes behind the loop, which then has numbers alone.
; pass: sink-stores
; count: store_raw = 1
; run: @f([0.5, 2.0, 1.5], 10) = [0, 1, 2]
; run: @f([3.0], 0) = [0]
func @f loop fast (%0: array<f64, 1>, %1: i64) -> (array<i64, 1>) {
  %2: i64 = dim[0] %0
  %3: array<i64, 1> = zeros %2
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 3.0
  for %4, %2, %5 {
  (%7: i64):
    %8: f64 = load_raw %0, %7
    %9: f64 = for %4, %1, %5, %8 {
    (%10: i64, %11: f64):
      %12: bool = gt %11, %6
      if %12 {
        store_raw %3, %10, %7
        break[0] %11
      } else {
        yield
      }
      %13: f64 = mul %11, %11
      continue[0] %13
    }
    continue[0]
  }
  return %3
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (array<i64, 1>) {
  %2: i64 = dim[0] %0
  %3: array<i64, 1> in m1 = zeros %2
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 3.0
  for %4, %2, %5 !r m0 !w m1 {
  (%7: i64):
    %8: f64 = load_raw %0, %7 !r m0
    %9: bool = const false
    %10: i64 = const 0
    %11: f64, %12: bool, %13: i64 = for %4, %1, %5, %8, %9, %10 {
    (%14: i64, %15: f64, %16: bool, %17: i64):
      %18: bool = gt %15, %6
      if %18 {
        %19: bool = const true
        break[0] %15, %19, %14
      } else {
        yield
      }
      %20: f64 = mul %15, %15
      continue[0] %20, %16, %17
    }
    if %12 !w m1 {
      store_raw %3, %13, %7 !w m1
      yield
    } else {
      yield
    }
    continue[0]
  }
  return %3
}
