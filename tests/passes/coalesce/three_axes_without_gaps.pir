; The loops over all axes become one, from the inside out.
; pass: coalesce
; count: for = 1
; run: @f([[[1.0, 2.0], [4.0, 8.0]], [[0.5, 0.25], [3.0, 5.0]]]) = [[[2.0, 4.0], [8.0, 16.0]], [[1.0, 0.5], [6.0, 10.0]]]
func @f loop fast (%a: array<f64, 3>) -> (array<f64, 3>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %k: i64 = dim[2] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %b: array<f64, 3> = empty %n, %m, %k
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
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
func @f loop fast (%0: array<f64, 3> in m0) -> (array<f64, 3>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = dim[2] %0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: array<f64, 3> in m1 = empty %1, %2, %3
  %7: i64 = mul %2, %3
  %8: i64 = const 0
  %9: i64 = const 8
  %10: i64 = dim[0] %0
  %11: i64 = dim[1] %0
  %12: i64 = mul %11, %3
  %13: i64 = mul %9, %12
  %14: array<f64, 2> in m0 = raw_view %0, %8, %10, %12, %13, %9
  %15: i64 = const 0
  %16: i64 = const 8
  %17: i64 = dim[0] %6
  %18: i64 = dim[1] %6
  %19: i64 = mul %18, %3
  %20: i64 = mul %16, %19
  %21: array<f64, 2> in m1 = raw_view %6, %15, %17, %19, %20, %16
  %22: i64 = mul %1, %7
  %23: i64 = const 0
  %24: i64 = const 8
  %25: i64 = dim[0] %14
  %26: i64 = mul %25, %7
  %27: array<f64, 1> in m0 = raw_view %14, %23, %26, %24
  %28: i64 = const 0
  %29: i64 = const 8
  %30: i64 = dim[0] %21
  %31: i64 = mul %30, %7
  %32: array<f64, 1> in m1 = raw_view %21, %28, %31, %29
  for %4, %22, %5 !r m0 !w m1 {
  (%33: i64):
    %34: f64 = load_raw %27, %33 !r m0
    %35: f64 = add %34, %34
    store_raw %32, %35, %33 !w m1
    continue[0]
  }
  return %6
}
