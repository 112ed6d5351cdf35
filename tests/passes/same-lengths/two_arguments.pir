; One test chooses code in which the two lengths are one.
; pass: same-lengths
; count: for = 4
; count: return = 2
; count: unreachable = 1
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
    %5: i64 = dim[0] %0
    %6: i64 = dim[0] %1
    %7: i64 = const 0
    %8: i64 = const 1
    %9: bool = eq %3, %3
    %10: bool = eq %3, %8
    %11: bool = eq %3, %8
    %12: bool = or %10, %11
    %13: bool = or %9, %12
    check[ValueError, "operands could not be broadcast together"] %13
    %14: i64 = select %10, %3, %3
    %15: array<f64, 1> in m2 = empty %14
    if %9 !r m0|m1 !w m2 {
      for %7, %3, %8 !r m0|m1 !w m2 {
      (%16: i64):
        %17: f64 = load_raw %0, %16 !r m0
        %18: f64 = load_raw %1, %16 !r m1
        %19: f64 = add %17, %18
        store_raw %15, %19, %16 !w m2
        continue[0]
      }
      yield
    } else {
      for %7, %14, %8 !r m0|m1 !w m2 {
      (%20: i64):
        %21: i64 = select %10, %7, %20
        %22: i64 = select %11, %7, %20
        %23: f64 = load_raw %0, %21 !r m0
        %24: f64 = load_raw %1, %22 !r m1
        %25: f64 = add %23, %24
        store_raw %15, %25, %20 !w m2
        continue[0]
      }
      yield
    }
    return %15
  } else {
    %26: i64 = dim[0] %0
    %27: i64 = dim[0] %1
    %28: i64 = const 0
    %29: i64 = const 1
    %30: bool = eq %26, %27
    %31: bool = eq %26, %29
    %32: bool = eq %27, %29
    %33: bool = or %31, %32
    %34: bool = or %30, %33
    check[ValueError, "operands could not be broadcast together"] %34
    %35: i64 = select %31, %27, %26
    %36: array<f64, 1> in m3 = empty %35
    if %30 !r m0|m1 !w m3 {
      for %28, %26, %29 !r m0|m1 !w m3 {
      (%37: i64):
        %38: f64 = load_raw %0, %37 !r m0
        %39: f64 = load_raw %1, %37 !r m1
        %40: f64 = add %38, %39
        store_raw %36, %40, %37 !w m3
        continue[0]
      }
      yield
    } else {
      for %28, %35, %29 !r m0|m1 !w m3 {
      (%41: i64):
        %42: i64 = select %31, %28, %41
        %43: i64 = select %32, %28, %41
        %44: f64 = load_raw %0, %42 !r m0
        %45: f64 = load_raw %1, %43 !r m1
        %46: f64 = add %44, %45
        store_raw %36, %46, %41 !w m3
        continue[0]
      }
      yield
    }
    return %36
  }
  unreachable
}
