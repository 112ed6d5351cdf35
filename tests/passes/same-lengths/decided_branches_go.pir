; With the lengths known to be equal, checks and the stretched loop go.
; pass: same-lengths, canonicalize, cse, dce
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
  %2: i64 = dim[0] %1
  %3: i64 = dim[0] %0
  %4: bool = eq %2, %3
  if %4 !r m0|m1 !w m2|m3 {
    %5: i64 = const 0
    %6: i64 = const 1
    %7: array<f64, 1> in m2 = empty %3
    for %5, %3, %6 !r m0|m1 !w m2 {
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
    %14: bool = eq %3, %2
    %15: bool = eq %3, %13
    %16: bool = eq %2, %13
    %17: bool = or %15, %16
    %18: bool = or %14, %17
    check[ValueError, "operands could not be broadcast together"] %18
    %19: i64 = select %15, %2, %3
    %20: array<f64, 1> in m3 = empty %19
    if %14 !r m0|m1 !w m3 {
      for %12, %3, %13 !r m0|m1 !w m3 {
      (%21: i64):
        %22: f64 = load_raw %0, %21 !r m0
        %23: f64 = load_raw %1, %21 !r m1
        %24: f64 = add %22, %23
        store_raw %20, %24, %21 !w m3
        continue[0]
      }
      yield
    } else {
      for %12, %19, %13 !r m0|m1 !w m3 {
      (%25: i64):
        %26: i64 = select %15, %12, %25
        %27: i64 = select %16, %12, %25
        %28: f64 = load_raw %0, %26 !r m0
        %29: f64 = load_raw %1, %27 !r m1
        %30: f64 = add %28, %29
        store_raw %20, %30, %25 !w m3
        continue[0]
      }
      yield
    }
    return %20
  }
  unreachable
}
