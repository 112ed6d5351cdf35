; One test chooses code in which the two lengths are one.
; pass: expect-lengths
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
  %2: bool = const true
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: bool = eq %3, %4
  if %5 !r m0|m1 !w m2|m3 {
    %6: i64 = dim[0] %0
    %7: i64 = dim[0] %1
    %8: i64 = const 0
    %9: i64 = const 1
    %10: bool = eq %6, %6
    %11: bool = eq %6, %9
    %12: bool = eq %6, %9
    %13: bool = or %11, %12
    %14: bool = or %2, %13
    check[ValueError, "operands could not be broadcast together"] %14
    %15: i64 = select %11, %6, %6
    %16: array<f64, 1> in m2 = empty %15
    if %2 !r m0|m1 !w m2 {
      for %8, %6, %9 !r m0|m1 !w m2 {
      (%17: i64):
        %18: f64 = load_raw %0, %17 !r m0
        %19: f64 = load_raw %1, %17 !r m1
        %20: f64 = add %18, %19
        store_raw %16, %20, %17 !w m2
        continue[0]
      }
      yield
    } else {
      for %8, %15, %9 !r m0|m1 !w m2 {
      (%21: i64):
        %22: i64 = select %11, %8, %21
        %23: i64 = select %12, %8, %21
        %24: f64 = load_raw %0, %22 !r m0
        %25: f64 = load_raw %1, %23 !r m1
        %26: f64 = add %24, %25
        store_raw %16, %26, %21 !w m2
        continue[0]
      }
      yield
    }
    return %16
  } else {
    %27: i64 = dim[0] %0
    %28: i64 = dim[0] %1
    %29: i64 = const 0
    %30: i64 = const 1
    %31: bool = eq %27, %28
    %32: bool = eq %27, %30
    %33: bool = eq %28, %30
    %34: bool = or %32, %33
    %35: bool = or %31, %34
    check[ValueError, "operands could not be broadcast together"] %35
    %36: i64 = select %32, %28, %27
    %37: array<f64, 1> in m3 = empty %36
    if %31 !r m0|m1 !w m3 {
      for %29, %27, %30 !r m0|m1 !w m3 {
      (%38: i64):
        %39: f64 = load_raw %0, %38 !r m0
        %40: f64 = load_raw %1, %38 !r m1
        %41: f64 = add %39, %40
        store_raw %37, %41, %38 !w m3
        continue[0]
      }
      yield
    } else {
      for %29, %36, %30 !r m0|m1 !w m3 {
      (%42: i64):
        %43: i64 = select %32, %29, %42
        %44: i64 = select %33, %29, %42
        %45: f64 = load_raw %0, %43 !r m0
        %46: f64 = load_raw %1, %44 !r m1
        %47: f64 = add %45, %46
        store_raw %37, %47, %42 !w m3
        continue[0]
      }
      yield
    }
    return %37
  }
  unreachable
}
