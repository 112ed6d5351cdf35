; What a row sums up to is used while the row is near.
; pass: fuse-loops
; count: for = 3
; run: @f([[1.0, 2.0], [4.0, 8.0], [0.5, 0.25]]) = [[3.0, 6.0], [48.0, 96.0], [0.375, 0.1875]]
; run: @f([]) = []
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %b: array<f64, 1> = empty %n
  %c: array<f64, 2> = empty %n, %m
  for %zero, %n, %one {
  (%i: i64):
    %sum: f64 = for %zero, %m, %one, %start {
    (%j: i64, %before: f64):
      %x: f64 = load_raw %a, %i, %j
      %after: f64 = add %before, %x
      continue[0] %after
    }
    store_raw %b, %sum, %i
    continue[0]
  }
  for %zero, %n, %one {
  (%k: i64):
    %scale: f64 = load_raw %b, %k
    for %zero, %m, %one {
    (%l: i64):
      %y: f64 = load_raw %a, %k, %l
      %z: f64 = mul %y, %scale
      store_raw %c, %z, %k, %l
      continue[0]
    }
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 1> in m1 = empty %1
  %7: array<f64, 2> in m2 = empty %1, %2
  for %3, %1, %4 !r m0|m1 !w m1|m2 {
  (%8: i64):
    %9: f64 = for %3, %2, %4, %5 !r m0 {
    (%10: i64, %11: f64):
      %12: f64 = load_raw %0, %8, %10 !r m0
      %13: f64 = add %11, %12
      continue[0] %13
    }
    store_raw %6, %9, %8 !w m1
    %14: f64 = load_raw %6, %8 !r m1
    for %3, %2, %4 !r m0 !w m2 {
    (%15: i64):
      %16: f64 = load_raw %0, %8, %15 !r m0
      %17: f64 = mul %16, %14
      store_raw %7, %17, %8, %15 !w m2
      continue[0]
    }
    continue[0]
  }
  return %7
}
