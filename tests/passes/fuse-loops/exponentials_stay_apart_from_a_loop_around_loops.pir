; Exponentials of a loop's own are computed in vectors, which the sums of rows would take from them. Roots are not worth it.
; pass: fuse-loops
; count: for = 3
; run: @f([[0.0, 0.0], [0.0, 0.0]]) = [1.0, 1.0], [0.0, 0.0]
; run: @f([]) = [], []
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>, array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %s: array<f64, 1> = empty %n
  %e: array<f64, 1> = empty %n
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %sum: f64 = for %zero, %m, %one, %none {
    (%j: i64, %t: f64):
      %x: f64 = load_raw %a, %i, %j
      %u: f64 = add %t, %x
      continue[0] %u
    }
    store_raw %s, %sum, %i
    continue[0]
  }
  for %zero, %n, %one {
  (%i2: i64):
    %v: f64 = load_raw %s, %i2
    %w: f64 = exp %v
    store_raw %e, %w, %i2
    continue[0]
  }
  for %zero, %n, %one {
  (%i3: i64):
    %sum3: f64 = for %zero, %m, %one, %none {
    (%j3: i64, %t3: f64):
      %x3: f64 = load_raw %a, %i3, %j3
      %u3: f64 = add %t3, %x3
      continue[0] %u3
    }
    %old: f64 = load_raw %s, %i3
    %all: f64 = add %old, %sum3
    %root: f64 = sqrt %all
    store_raw %r, %root, %i3
    continue[0]
  }
  return %e, %r
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 1> in m1 = empty %1
  %7: array<f64, 1> in m2 = empty %1
  %8: array<f64, 1> in m3 = empty %1
  for %3, %1, %4 !r m0|m1 !w m1|m3 {
  (%9: i64):
    %10: f64, %11: f64 = for %3, %2, %4, %5, %5 !r m0 {
    (%12: i64, %13: f64, %14: f64):
      %15: f64 = load_raw %0, %9, %12 !r m0
      %16: f64 = add %13, %15
      %17: f64 = load_raw %0, %9, %12 !r m0
      %18: f64 = add %14, %17
      continue[0] %16, %18
    }
    store_raw %6, %10, %9 !w m1
    %19: f64 = load_raw %6, %9 !r m1
    %20: f64 = add %19, %11
    %21: f64 = sqrt %20
    store_raw %8, %21, %9 !w m3
    continue[0]
  }
  for %3, %1, %4 !r m1 !w m2 {
  (%22: i64):
    %23: f64 = load_raw %6, %22 !r m1
    %24: f64 = exp %23
    store_raw %7, %24, %22 !w m2
    continue[0]
  }
  return %7, %8
}
