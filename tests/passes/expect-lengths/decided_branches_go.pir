; With the lengths known to be equal, checks and the stretched loop go.
; pass: expect-lengths, canonicalize, cse, dce
; count: for = 3
; count: check = 1
; run: @f([1.0, 2.0], [4.0, 8.0]) = [5.0, 10.0]
; run: @f([1.0], [4.0, 8.0]) = [5.0, 9.0]
; run: @f([1.0, 2.0], [4.0]) = [5.0, 6.0]
; run: @f([], [1.0]) = []
; run: @f([], []) = []
; run: @f([1.0, 2.0], [1.0, 2.0, 4.0]) raises ValueError
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (array<f64, 1>) {
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
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: bool = eq %2, %3
  if %4 !r m0|m1 !w m2|m3 {
    %5: i64 = const 0
    %6: i64 = const 1
    %7: array<f64, 1> in m2 = empty %2
    for %5, %2, %6 !r m0|m1 !w m2 {
    (%8: i64):
      %9: f64 = load_raw %0, %8 !r m0
      %10: f64 = load_raw %1, %8 !r m1
      %11: f64 = add %9, %10
      store_raw %7, %11, %8 !w m2
      continue[0]
    }
    return %7
  } else {
    %12: i64 = const 0
    %13: i64 = const 1
    %14: bool = eq %2, %13
    %15: bool = eq %3, %13
    %16: bool = or %14, %15
    %17: bool = or %4, %16
    check[ValueError, "operands could not be broadcast together"] %17
    %18: i64 = select %14, %3, %2
    %19: array<f64, 1> in m3 = empty %18
    if %4 !r m0|m1 !w m3 {
      for %12, %2, %13 !r m0|m1 !w m3 {
      (%20: i64):
        %21: f64 = load_raw %0, %20 !r m0
        %22: f64 = load_raw %1, %20 !r m1
        %23: f64 = add %21, %22
        store_raw %19, %23, %20 !w m3
        continue[0]
      }
      yield
    } else {
      for %12, %18, %13 !r m0|m1 !w m3 {
      (%24: i64):
        %25: i64 = select %14, %12, %24
        %26: i64 = select %15, %12, %24
        %27: f64 = load_raw %0, %25 !r m0
        %28: f64 = load_raw %1, %26 !r m1
        %29: f64 = add %27, %28
        store_raw %19, %29, %24 !w m3
        continue[0]
      }
      yield
    }
    return %19
  }
  unreachable
}
