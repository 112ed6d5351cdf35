; It has no row, and is no part of what is written.
; pass: write-behind
; count: empty = 1
; run: @f([1.0, 2.0, 4.0, 8.0], 10.0) = [1.0, 11.0, 12.0, 8.0]
func @f loop fast (%u: array<f64, 1> in m0, %z: f64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %c: array<f64, 0> = empty
  store_raw %c, %z
  %n: i64 = dim[0] %u
  %m: i64 = sub %n, %two
  %t: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%i: i64):
    %p: f64 = load_raw %u, %i
    %q: f64 = load_raw %c
    %s: f64 = add %p, %q
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
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: array<f64, 0> in m1 = empty
  store_raw %5, %1 !w m1
  %6: i64 = dim[0] %0
  %7: i64 = sub %6, %4
  %8: bool = lt %2, %7
  if %8 !r m0|m1 !w m0 {
    %9: f64 = load_raw %0, %2 !r m0
    %10: f64 = load_raw %5 !r m1
    %11: f64 = add %9, %10
    %12: i64 = const 1
    %13: i64 = add %2, %12
    %14: f64 = for %13, %7, %3, %11 !r m0|m1 !w m0 {
    (%15: i64, %16: f64):
      %17: f64 = load_raw %0, %15 !r m0
      %18: f64 = load_raw %5 !r m1
      %19: f64 = add %17, %18
      %20: i64 = sub %15, %12
      %21: i64 = add %20, %3
      store_raw %0, %16, %21 !w m0
      continue[0] %19
    }
    %22: i64 = sub %7, %12
    %23: i64 = add %22, %3
    store_raw %0, %14, %23 !w m0
    yield
  } else {
    yield
  }
  return %0
}
