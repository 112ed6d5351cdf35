; The version for any arguments stays as small as it is.
; pass: expect-lengths
; count: for = 2
; count: unreachable = 0
; run: @f([1.0, 2.0], [4.0, 8.0]) = [5.0, 10.0]
; run: @f([1.0], [4.0, 8.0]) = [5.0, 9.0]
; run: @f([1.0, 2.0], [4.0]) = [5.0, 6.0]
; run: @f([], [1.0]) = []
; run: @f([], []) = []
; run: @f([1.0, 2.0], [1.0, 2.0, 4.0]) raises ValueError
func @f loop general (%a: array<f64, 1>, %b: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %zero: i64 = const 0
  %one: i64 = const 1
  %same: bool = eq %n, %m
  %first: bool = eq %n, %one
  %second: bool = eq %m, %one
  %either: bool = or %first, %second
  %fits: bool = or %same, %either
  check[ValueError, "operands could not be broadcast together"] %fits
  %count: i64 = select %first, %m, %n
  %c: array<f64, 1> = empty %count
  if %same {
    for %zero, %n, %one {
    (%i: i64):
      %x: f64 = load_raw %a, %i
      %y: f64 = load_raw %b, %i
      %z: f64 = add %x, %y
      store_raw %c, %z, %i
      continue[0]
    }
    yield
  } else {
    for %zero, %count, %one {
    (%j: i64):
      %p: i64 = select %first, %zero, %j
      %q: i64 = select %second, %zero, %j
      %u: f64 = load_raw %a, %p
      %v: f64 = load_raw %b, %q
      %w: f64 = add %u, %v
      store_raw %c, %w, %j
      continue[0]
    }
    yield
  }
  return %c
}
; ---- after
func @f loop general (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: bool = eq %2, %3
  %7: bool = eq %2, %5
  %8: bool = eq %3, %5
  %9: bool = or %7, %8
  %10: bool = or %6, %9
  check[ValueError, "operands could not be broadcast together"] %10
  %11: i64 = select %7, %3, %2
  %12: array<f64, 1> in m1 = empty %11
  if %6 !r m0 !w m1 {
    for %4, %2, %5 !r m0 !w m1 {
    (%13: i64):
      %14: f64 = load_raw %0, %13 !r m0
      %15: f64 = load_raw %1, %13 !r m0
      %16: f64 = add %14, %15
      store_raw %12, %16, %13 !w m1
      continue[0]
    }
    yield
  } else {
    for %4, %11, %5 !r m0 !w m1 {
    (%17: i64):
      %18: i64 = select %7, %4, %17
      %19: i64 = select %8, %4, %17
      %20: f64 = load_raw %0, %18 !r m0
      %21: f64 = load_raw %1, %19 !r m0
      %22: f64 = add %20, %21
      store_raw %12, %22, %17 !w m1
      continue[0]
    }
    yield
  }
  return %12
}
