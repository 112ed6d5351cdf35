; What an iteration makes is written by the next one.
; pass: write-behind
; count: empty = 0
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0], [0.0]) = [1.0, 3.0, 6.0, 8.0, 16.0]
; run: @f([1.0, 2.0, 4.0, 8.0], [0.0]) = [1.0, 3.0, 4.0, 8.0]
; run: @f([1.0, 2.0, 4.0], [0.0]) = [1.0, 2.0, 4.0]
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0], [0.0]) = [1.0, 3.0, 6.0, 12.0, 16.0, 32.0]
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
    %p: f64 = load_raw %u, %i
    %q: f64 = load_raw %u, %k
    %s: f64 = sub %q, %p
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
  %8: bool = lt %2, %7
  if %8 !r m0 !w m0 {
    %9: i64 = add %2, %4
    %10: f64 = load_raw %0, %2 !r m0
    %11: f64 = load_raw %0, %9 !r m0
    %12: f64 = sub %11, %10
    %13: i64 = const 1
    %14: i64 = add %2, %13
    %15: f64 = for %14, %7, %3, %12 !r m0 !w m0 {
    (%16: i64, %17: f64):
      %18: i64 = add %16, %4
      %19: f64 = load_raw %0, %16 !r m0
      %20: f64 = load_raw %0, %18 !r m0
      %21: f64 = sub %20, %19
      %22: i64 = sub %16, %13
      %23: i64 = add %22, %3
      store_raw %0, %17, %23 !w m0
      continue[0] %21
    }
    %24: i64 = sub %7, %13
    %25: i64 = add %24, %3
    store_raw %0, %15, %25 !w m0
    yield
  } else {
    yield
  }
  return %0
}
