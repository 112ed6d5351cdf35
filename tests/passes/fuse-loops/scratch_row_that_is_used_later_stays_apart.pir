; The second loop reads what the last iteration of the first one left in a row that each iteration overwrites.
; pass: fuse-loops
; count: for = 4
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = [[4.0, 16.0], [16.0, 64.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 1> = empty %m
  %c: array<f64, 2> = empty %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      store_raw %t, %x, %j
      continue[0]
    }
    continue[0]
  }
  for %zero, %n, %one {
  (%k: i64):
    for %zero, %m, %one {
    (%l: i64):
      %y: f64 = load_raw %t, %l
      %u: f64 = load_raw %a, %k, %l
      %v: f64 = mul %y, %u
      store_raw %c, %v, %k, %l
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
  %5: array<f64, 1> in m1 = empty %2
  %6: array<f64, 2> in m2 = empty %1, %2
  for %3, %1, %4 !r m0 !w m1 {
  (%7: i64):
    for %3, %2, %4 !r m0 !w m1 {
    (%8: i64):
      %9: f64 = load_raw %0, %7, %8 !r m0
      store_raw %5, %9, %8 !w m1
      continue[0]
    }
    continue[0]
  }
  for %3, %1, %4 !r m0|m1 !w m2 {
  (%10: i64):
    for %3, %2, %4 !r m0|m1 !w m2 {
    (%11: i64):
      %12: f64 = load_raw %5, %11 !r m1
      %13: f64 = load_raw %0, %10, %11 !r m0
      %14: f64 = mul %12, %13
      store_raw %6, %14, %10, %11 !w m2
      continue[0]
    }
    continue[0]
  }
  return %6
}
