; Each row is given something besides.
; pass: coalesce
; count: for = 2
; run: @f([[1.0, -2.0, 4.0], [0.5, 0.25, 8.0]], [2.0, 4.0]) = [[2.0, 8.0, 32.0], [1.0, 0.25, 256.0]]
func @f loop fast (%a: array<f64, 2>, %v: array<f64, 1>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %b: array<f64, 2> = zeros %n, %m
  for %zero, %n, %one {
  (%i: i64):
    %scale: f64 = load_raw %v, %i
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %square: f64 = mul %x, %x
      %y: f64 = mul %square, %scale
      store_raw %b, %y, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %b
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1) -> (array<f64, 2>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: array<f64, 2> in m2 = zeros %2, %3
  for %4, %2, %5 !r m0|m1 !w m2 {
  (%8: i64):
    %9: f64 = load_raw %1, %8 !r m1
    for %4, %3, %5 !r m0 !w m2 {
    (%10: i64):
      %11: f64 = load_raw %0, %8, %10 !r m0
      %12: f64 = mul %11, %11
      %13: f64 = mul %12, %9
      store_raw %7, %13, %8, %10 !w m2
      continue[0]
    }
    continue[0]
  }
  return %7
}
