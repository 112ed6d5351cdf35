; The loop in the middle leaves rows out: the one around it stays.
; pass: coalesce
; count: for = 2
; run: @f([[[1.0, 2.0], [4.0, 8.0]], [[0.5, 0.25], [3.0, 5.0]]], 2) = [[[2.0, 4.0], [8.0, 16.0]], [[1.0, 0.5], [6.0, 10.0]]]
func @f loop fast (%a: array<f64, 3>, %some: i64) -> (array<f64, 3>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %k: i64 = dim[2] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %b: array<f64, 3> = empty %n, %m, %k
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %some, %one {
    (%j: i64):
      for %zero, %k, %one {
      (%l: i64):
        %x: f64 = load_raw %a, %i, %j, %l
        %y: f64 = add %x, %x
        store_raw %b, %y, %i, %j, %l
        continue[0]
      }
      continue[0]
    }
    continue[0]
  }
  return %b
}
; ---- after
func @f loop fast (%0: array<f64, 3> in m0, %1: i64) -> (array<f64, 3>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[2] %0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: array<f64, 3> in m1 = empty %2, %3, %4
  %8: i64 = mul %1, %4
  %9: i64 = const 0
  %10: i64 = const 8
  %11: i64 = dim[0] %0
  %12: i64 = dim[1] %0
  %13: i64 = mul %12, %4
  %14: i64 = mul %10, %13
  %15: array<f64, 2> in m0 = raw_view %0, %9, %11, %13, %14, %10
  %16: i64 = const 0
  %17: i64 = const 8
  %18: i64 = dim[0] %7
  %19: i64 = dim[1] %7
  %20: i64 = mul %19, %4
  %21: i64 = mul %17, %20
  %22: array<f64, 2> in m1 = raw_view %7, %16, %18, %20, %21, %17
  for %5, %2, %6 !r m0 !w m1 {
  (%23: i64):
    for %5, %8, %6 !r m0 !w m1 {
    (%24: i64):
      %25: f64 = load_raw %15, %23, %24 !r m0
      %26: f64 = add %25, %25
      store_raw %22, %26, %23, %24 !w m1
      continue[0]
    }
    continue[0]
  }
  return %7
}
