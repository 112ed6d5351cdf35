; The rows are read through a view of the whole array.
; pass: contract
; count: empty in loops = 0
; run: @f([[1.0, 2.0], [4.0, 8.0], [0.5, 0.25]]) = [5.0, 80.0, 0.3125]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %c: array<f64, 1> = empty %n
  %t: array<f64, 2> = empty %n, %m
  %size: i64 = const 8
  %pitch: i64 = mul %m, %size
  %v: array<f64, 2> = raw_view %t, %zero, %n, %m, %pitch, %size
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %y: f64 = mul %x, %x
      store_raw %t, %y, %i, %j
      continue[0]
    }
    %sum: f64 = for %zero, %m, %one, %start {
    (%k: i64, %p: f64):
      %z: f64 = load_raw %v, %i, %k
      %q: f64 = add %p, %z
      continue[0] %q
    }
    store_raw %c, %sum, %i
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 1> in m1 = empty %1
  %7: array<f64, 2> in m2 = empty %1, %2
  %8: i64 = const 8
  %9: i64 = mul %2, %8
  %10: array<f64, 2> in m2 = raw_view %7, %3, %1, %2, %9, %8
  for %3, %1, %4 !r m0|m2 !w m1|m2 {
  (%11: i64):
    for %3, %2, %4 !r m0 !w m2 {
    (%12: i64):
      %13: f64 = load_raw %0, %11, %12 !r m0
      %14: f64 = mul %13, %13
      store_raw %7, %14, %11, %12 !w m2
      continue[0]
    }
    %15: f64 = for %3, %2, %4, %5 !r m2 {
    (%16: i64, %17: f64):
      %18: f64 = load_raw %10, %11, %16 !r m2
      %19: f64 = add %17, %18
      continue[0] %19
    }
    store_raw %6, %15, %11 !w m1
    continue[0]
  }
  return %6
}
