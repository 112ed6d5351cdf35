; What is done with the elements may branch.
; pass: coalesce
; count: for = 1
; run: @f([[1.0, -2.0, 4.0], [0.5, 0.25, 8.0]]) = [[1.0, 0.0, 16.0], [0.25, 0.0625, 64.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %b: array<f64, 2> = zeros %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %bad: bool = lt %x, %none
      if %bad {
        continue[0]
      } else {
        yield
      }
      %y: f64 = mul %x, %x
      store_raw %b, %y, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %b
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 2> in m1 = zeros %1, %2
  %7: i64 = mul %1, %2
  %8: i64 = const 0
  %9: i64 = const 8
  %10: i64 = dim[0] %0
  %11: i64 = mul %10, %2
  %12: array<f64, 1> in m0 = raw_view %0, %8, %11, %9
  %13: i64 = const 0
  %14: i64 = const 8
  %15: i64 = dim[0] %6
  %16: i64 = mul %15, %2
  %17: array<f64, 1> in m1 = raw_view %6, %13, %16, %14
  for %3, %7, %4 !r m0 !w m1 {
  (%18: i64):
    %19: f64 = load_raw %12, %18 !r m0
    %20: bool = lt %19, %5
    if %20 {
      continue[0]
    } else {
      yield
    }
    %21: f64 = mul %19, %19
    store_raw %17, %21, %18 !w m1
    continue[0]
  }
  return %6
}
