; Nothing is computed before an error that was not before.
; pass: join-rows
; count: for = 6
; run: @f([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [1.0, -1.0]) raises ValueError
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
    %r: f64 = for %zero, %k, %one, %s {
    (%j: i64, %c: f64):
      %p: f64 = load_raw %a, %i, %j
      %q: f64 = load_raw %x, %j
      %pq: f64 = mul %p, %q
      %next: f64 = add %c, %pq
      continue[0] %next
    }
    %fine: bool = lt %s, %r
    check[ValueError, "negative"] %fine
    store_raw %t, %r, %i
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
  for %2, %6, %3 !r m0|m1 !w m2 {
  (%9: i64):
    %10: f64 = for %2, %7, %3, %5 !r m0|m1 {
    (%11: i64, %12: f64):
      %13: f64 = load_raw %0, %9, %11 !r m0
      %14: f64 = load_raw %1, %11 !r m1
      %15: f64 = mul %13, %14
      %16: f64 = add %12, %15
      continue[0] %16
    }
    %17: bool = lt %5, %10
    check[ValueError, "negative"] %17
    store_raw %8, %10, %9 !w m2
    continue[0]
  }
  %18: array<f64, 1> in m3 = zeros %7
  %19: i64 = floordiv %6, %4
  %20: i64 = mul %19, %4
  for %2, %20, %4 !r m0|m2|m3 !w m3 {
  (%21: i64):
    %22: i64 = add %21, %3
    %23: i64 = sub %21, %21
    for %2, %7, %3 !r m0|m2|m3 !w m3 {
    (%24: i64):
      %25: f64 = load_raw %0, %21, %24 !r m0
      %26: f64 = load_raw %8, %21 !r m2
      %27: f64 = mul %25, %26
      %28: f64 = load_raw %0, %22, %24 !r m0
      %29: f64 = load_raw %8, %22 !r m2
      %30: f64 = mul %28, %29
      %31: f64 = add %27, %30
      %32: f64 = load_raw %18, %24 !r m3
      %33: f64 = add %32, %31
      store_raw %18, %33, %24 !w m3
      continue[0]
    }
    continue[0]
  }
  for %20, %6, %3 !r m0|m2|m3 !w m3 {
  (%34: i64):
    for %2, %7, %3 !r m0|m2|m3 !w m3 {
    (%35: i64):
      %36: f64 = load_raw %0, %34, %35 !r m0
      %37: f64 = load_raw %8, %34 !r m2
      %38: f64 = mul %36, %37
      %39: f64 = load_raw %18, %35 !r m3
      %40: f64 = add %39, %38
      store_raw %18, %40, %35 !w m3
      continue[0]
    }
    continue[0]
  }
  return %18
}
