; Loops that read no row of the matrix gain nothing.
; pass: join-rows
; count: for = 5
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1.0, -1.0]) = [-2.0, -2.0]
func @f loop fast (%a: array<f64, 2> in m0, %x: array<f64, 1> in m1) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %s: f64 = const 0.0
  %n: i64 = dim[0] %a
  %k: i64 = dim[1] %a
  %t: array<f64, 1> in m2 = zeros %n
  for %zero, %n, %one {
  (%i: i64):
    %q: f64 = load_raw %x, %i
    store_raw %t, %q, %i
    continue[0]
  }
  %y: array<f64, 1> in m3 = zeros %k
  %half: i64 = floordiv %n, %two
  %m: i64 = mul %half, %two
  for %zero, %m, %two {
  (%b: i64):
    %b1: i64 = add %b, %one
    %b2: i64 = sub %b, %b
    for %zero, %k, %one {
    (%l: i64):
      %a0: f64 = load_raw %a, %b, %l
      %t0: f64 = load_raw %t, %b
      %at0: f64 = mul %a0, %t0
      %a1: f64 = load_raw %a, %b1, %l
      %t1: f64 = load_raw %t, %b1
      %at1: f64 = mul %a1, %t1
      %at: f64 = add %at0, %at1
      %old: f64 = load_raw %y, %l
      %new: f64 = add %old, %at
      store_raw %y, %new, %l
      continue[0]
    }
    continue[0]
  }
  for %m, %n, %one {
  (%e: i64):
    for %zero, %k, %one {
    (%f: i64):
      %ae: f64 = load_raw %a, %e, %f
      %te: f64 = load_raw %t, %e
      %ate: f64 = mul %ae, %te
      %olde: f64 = load_raw %y, %f
      %newe: f64 = add %olde, %ate
      store_raw %y, %newe, %f
      continue[0]
    }
    continue[0]
  }
  return %y
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 0.0
  %6: i64 = dim[0] %0
  %7: i64 = dim[1] %0
  %8: array<f64, 1> in m2 = zeros %6
  for %2, %6, %3 !r m1 !w m2 {
  (%9: i64):
    %10: f64 = load_raw %1, %9 !r m1
    store_raw %8, %10, %9 !w m2
    continue[0]
  }
  %11: array<f64, 1> in m3 = zeros %7
  %12: i64 = floordiv %6, %4
  %13: i64 = mul %12, %4
  for %2, %13, %4 !r m0|m2|m3 !w m3 {
  (%14: i64):
    %15: i64 = add %14, %3
    %16: i64 = sub %14, %14
    for %2, %7, %3 !r m0|m2|m3 !w m3 {
    (%17: i64):
      %18: f64 = load_raw %0, %14, %17 !r m0
      %19: f64 = load_raw %8, %14 !r m2
      %20: f64 = mul %18, %19
      %21: f64 = load_raw %0, %15, %17 !r m0
      %22: f64 = load_raw %8, %15 !r m2
      %23: f64 = mul %21, %22
      %24: f64 = add %20, %23
      %25: f64 = load_raw %11, %17 !r m3
      %26: f64 = add %25, %24
      store_raw %11, %26, %17 !w m3
      continue[0]
    }
    continue[0]
  }
  for %13, %6, %3 !r m0|m2|m3 !w m3 {
  (%27: i64):
    for %2, %7, %3 !r m0|m2|m3 !w m3 {
    (%28: i64):
      %29: f64 = load_raw %0, %27, %28 !r m0
      %30: f64 = load_raw %8, %27 !r m2
      %31: f64 = mul %29, %30
      %32: f64 = load_raw %11, %28 !r m3
      %33: f64 = add %32, %31
      store_raw %11, %33, %28 !w m3
      continue[0]
    }
    continue[0]
  }
  return %11
}
