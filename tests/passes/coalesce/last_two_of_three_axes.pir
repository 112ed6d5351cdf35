; The loops over the last two axes become one; the one over the first axis stays around it.
; pass: coalesce
; count: for = 2
; run: @f([[[1.0, 2.0], [4.0, 8.0]]]) = [[[2.0, 4.0], [8.0, 16.0]]]
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
  for %4, %1, %5 !r m0 !w m1 {
  (%7: i64):
    %8: i64 = mul %2, %3
    %9: i64 = const 0
    %10: i64 = const 8
    %11: i64 = dim[0] %0
    %12: i64 = dim[1] %0
    %13: i64 = mul %12, %3
    %14: i64 = mul %10, %13
    %15: array<f64, 2> in m0 = raw_view %0, %9, %11, %13, %14, %10
    %16: i64 = const 0
    %17: i64 = const 8
    %18: i64 = dim[0] %6
    %19: i64 = dim[1] %6
    %20: i64 = mul %19, %3
    %21: i64 = mul %17, %20
    %22: array<f64, 2> in m1 = raw_view %6, %16, %18, %20, %21, %17
    for %4, %8, %5 !r m0 !w m1 {
    (%23: i64):
      %24: f64 = load_raw %15, %7, %23 !r m0
      %25: f64 = add %24, %24
      store_raw %22, %25, %7, %23 !w m1
      continue[0]
    }
    continue[0]
  }
  return %6
}
