; Rows of a product go in the blocks of the next one.
; pass: join-rows
; count: for = 8
; run: @f([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [1.0, -1.0]) = [-9.0, -12.0]
; run: @f([[1.0, 2.0]], [1.0, -1.0]) = [-1.0, -2.0]
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
  %9: array<f64, 1> in m3 = zeros %7
  %10: i64 = floordiv %6, %4
  %11: i64 = mul %10, %4
  for %2, %11, %4 !r m0|m1|m2|m3 !w m2|m3 {
  (%12: i64):
    %13: i64 = add %12, %4
    %14: i64 = const 1
    for %12, %13, %14 !r m0|m1 !w m2 {
    (%15: i64):
      %16: f64 = for %2, %7, %3, %5 !r m0|m1 {
      (%17: i64, %18: f64):
        %19: f64 = load_raw %0, %15, %17 !r m0
        %20: f64 = load_raw %1, %17 !r m1
        %21: f64 = mul %19, %20
        %22: f64 = add %18, %21
        continue[0] %22
      }
      store_raw %8, %16, %15 !w m2
      continue[0]
    }
    %23: i64 = add %12, %3
    %24: i64 = sub %12, %12
    for %2, %7, %3 !r m0|m2|m3 !w m3 {
    (%25: i64):
      %26: f64 = load_raw %0, %12, %25 !r m0
      %27: f64 = load_raw %8, %12 !r m2
      %28: f64 = mul %26, %27
      %29: f64 = load_raw %0, %23, %25 !r m0
      %30: f64 = load_raw %8, %23 !r m2
      %31: f64 = mul %29, %30
      %32: f64 = add %28, %31
      %33: f64 = load_raw %9, %25 !r m3
      %34: f64 = add %33, %32
      store_raw %9, %34, %25 !w m3
      continue[0]
    }
    continue[0]
  }
  for %11, %6, %3 !r m0|m1 !w m2 {
  (%35: i64):
    %36: f64 = for %2, %7, %3, %5 !r m0|m1 {
    (%37: i64, %38: f64):
      %39: f64 = load_raw %0, %35, %37 !r m0
      %40: f64 = load_raw %1, %37 !r m1
      %41: f64 = mul %39, %40
      %42: f64 = add %38, %41
      continue[0] %42
    }
    store_raw %8, %36, %35 !w m2
    continue[0]
  }
  for %11, %6, %3 !r m0|m2|m3 !w m3 {
  (%43: i64):
    for %2, %7, %3 !r m0|m2|m3 !w m3 {
    (%44: i64):
      %45: f64 = load_raw %0, %43, %44 !r m0
      %46: f64 = load_raw %8, %43 !r m2
      %47: f64 = mul %45, %46
      %48: f64 = load_raw %9, %44 !r m3
      %49: f64 = add %48, %47
      store_raw %9, %49, %44 !w m3
      continue[0]
    }
    continue[0]
  }
  return %9
}
