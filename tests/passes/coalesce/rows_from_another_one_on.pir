; The first row is given: the loop begins that many elements later.
; pass: coalesce
; count: for = 1
; run: @f([[1.0, 2.0], [4.0, 8.0], [0.5, 1.0]]) = [[0.0, 0.0], [1.0, 4.0], [16.0, 64.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %last: i64 = sub %n, %one
  %b: array<f64, 2> = zeros %n, %m
  for %zero, %last, %one {
  (%i: i64):
    %next: i64 = add %i, %one
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %y: f64 = mul %x, %x
      store_raw %b, %y, %next, %j
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
  %6: i64 = sub %1, %4
  %7: array<f64, 2> in m1 = zeros %1, %2
  %8: i64 = mul %6, %2
  %9: i64 = const 0
  %10: i64 = const 8
  %11: i64 = dim[0] %0
  %12: i64 = mul %11, %2
  %13: array<f64, 1> in m0 = raw_view %0, %9, %12, %10
  %14: i64 = const 0
  %15: i64 = const 8
  %16: i64 = dim[0] %7
  %17: i64 = mul %16, %2
  %18: array<f64, 1> in m1 = raw_view %7, %14, %17, %15
  %19: i64 = mul %4, %2
  for %3, %8, %4 !r m0 !w m1 {
  (%20: i64):
    %21: i64 = add %19, %20
    %22: f64 = load_raw %13, %20 !r m0
    %23: f64 = mul %22, %22
    store_raw %18, %23, %21 !w m1
    continue[0]
  }
  return %7
}
