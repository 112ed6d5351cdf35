; A temporary of a negative length raises before the check that follows.
; pass: fuse-loops
; run: @f([1.0, 2.0], 2, 3) = [4.0, 8.0]
; run: @f([1.0, 2.0], 2, 1) = [4.0, 0.0]
; run: @f([1.0, 2.0], -1, 0) raises ValueError
func @f loop fast (%a: array<f64, 1>, %n: i64, %k: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = add %x, %x
    store_raw %t, %y, %i
    continue[0]
  }
  %some: bool = ne %k, %zero
  check[IndexError, "nothing"] %some
  %out: array<f64, 1> = zeros %two
  %all: bool = gt %k, %two
  if %all {
    for %zero, %n, %one {
    (%j: i64):
      %u: f64 = load_raw %t, %j
      %v: f64 = add %u, %u
      store_raw %out, %v, %j
      continue[0]
    }
    yield
  } else {
    for %zero, %one, %one {
    (%l: i64):
      %p: f64 = load_raw %t, %l
      %q: f64 = add %p, %p
      store_raw %out, %q, %l
      continue[0]
    }
    yield
  }
  return %out
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (array<f64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = const 2
  %6: array<f64, 1> in m1 = empty %1
  for %3, %1, %4 !r m0 !w m1 {
  (%7: i64):
    %8: f64 = load_raw %0, %7 !r m0
    %9: f64 = add %8, %8
    store_raw %6, %9, %7 !w m1
    continue[0]
  }
  %10: bool = ne %2, %3
  check[IndexError, "nothing"] %10
  %11: array<f64, 1> in m2 = zeros %5
  %12: bool = gt %2, %5
  if %12 !r m1 !w m2 {
    for %3, %1, %4 !r m1 !w m2 {
    (%13: i64):
      %14: f64 = load_raw %6, %13 !r m1
      %15: f64 = add %14, %14
      store_raw %11, %15, %13 !w m2
      continue[0]
    }
    yield
  } else {
    for %3, %4, %4 !r m1 !w m2 {
    (%16: i64):
      %17: f64 = load_raw %6, %16 !r m1
      %18: f64 = add %17, %17
      store_raw %11, %18, %16 !w m2
      continue[0]
    }
    yield
  }
  return %11
}
