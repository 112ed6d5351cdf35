; More than one would be carried.
; pass: write-behind
; count: for = 2
func @f loop fast (%u: array<f64, 1> in m0, %v: array<f64, 1> in m1) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %three: i64 = const 3
  %n: i64 = dim[0] %u
  %m: i64 = sub %n, %three
  %t: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%i: i64):
    %k: i64 = add %i, %two
    %w: i64 = sub %i, %one
    %p: f64 = load_raw %u, %w
    %q: f64 = load_raw %u, %k
    %s: f64 = add %q, %p
    store_raw %t, %s, %i
    continue[0]
  }
  for %zero, %m, %one {
  (%j: i64):
      %x: f64 = load_raw %t, %j
      %a: i64 = add %j, %one
      store_raw %u, %x, %a
    continue[0]
  }
  return %u
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: i64 = const 3
  %6: i64 = dim[0] %0
  %7: i64 = sub %6, %5
  %8: array<f64, 1> in m2 = empty %7
  for %2, %7, %3 !r m0 !w m2 {
  (%9: i64):
    %10: i64 = add %9, %4
    %11: i64 = sub %9, %3
    %12: f64 = load_raw %0, %11 !r m0
    %13: f64 = load_raw %0, %10 !r m0
    %14: f64 = add %13, %12
    store_raw %8, %14, %9 !w m2
    continue[0]
  }
  for %2, %7, %3 !r m2 !w m0 {
  (%15: i64):
    %16: f64 = load_raw %8, %15 !r m2
    %17: i64 = add %15, %3
    store_raw %0, %16, %17 !w m0
    continue[0]
  }
  return %0
}
