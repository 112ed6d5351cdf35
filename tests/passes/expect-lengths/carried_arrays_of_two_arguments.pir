; What a loop carries is as long as what it starts from, where the two arguments are equally long: then nothing is stretched in it.
; pass: expect-lengths, canonicalize, cse, dce
; run: @f([1.0, 2.0], [4.0, 8.0], 2) = [13.0, 26.0], [16.0, 32.0]
; run: @f([1.0], [4.0, 8.0], 1) = [5.0, 9.0], [8.0, 16.0]
; run: @f([1.0, 2.0], [4.0], 0) = [1.0, 2.0], [4.0]
; run: @f([1.0, 2.0], [4.0, 5.0, 6.0], 1) raises ValueError
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %n: i64) -> (array<f64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 1>, %v: array<f64, 1> = for %zero, %n, %one, %a, %b {
  (%i: i64, %x: array<f64, 1>, %y: array<f64, 1>):
    %p: i64 = dim[0] %x
    %q: i64 = dim[0] %y
    %same: bool = eq %p, %q
    %pone: bool = eq %p, %one
    %qone: bool = eq %q, %one
    %either: bool = or %pone, %qone
    %fit: bool = or %same, %either
    check[ValueError, "operands could not be broadcast together with shapes ({0},) ({1},) "] %fit, %p, %q
    %m: i64 = select %pone, %q, %p
    %s: array<f64, 1> = empty %m
    if %same {
      for %zero, %m, %one {
      (%j: i64):
        %l: f64 = load_raw %x, %j
        %r: f64 = load_raw %y, %j
        %sum: f64 = add %l, %r
        store_raw %s, %sum, %j
        continue[0]
      }
      yield
    } else {
      for %zero, %m, %one {
      (%k: i64):
        %pi: i64 = select %pone, %zero, %k
        %qi: i64 = select %qone, %zero, %k
        %l2: f64 = load_raw %x, %pi
        %r2: f64 = load_raw %y, %qi
        %sum2: f64 = add %l2, %r2
        store_raw %s, %sum2, %k
        continue[0]
      }
      yield
    }
    %w: array<f64, 1> = empty %q
    for %zero, %q, %one {
    (%g: i64):
      %z: f64 = load_raw %y, %g
      %two: f64 = add %z, %z
      store_raw %w, %two, %g
      continue[0]
    }
    continue[0] %s, %w
  }
  return %u, %v
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (array<f64, 1>, array<f64, 1>) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: bool = eq %3, %4
  if %5 !r m0|m1|m2|m3|m4|m5 !w m2|m3|m4|m5 {
    %6: i64 = const 0
    %7: i64 = const 1
    %8: array<f64, 1> in m0|m2, %9: array<f64, 1> in m1|m3 = for %6, %2, %7, %0, %1 !r m0|m1|m2|m3 !w m2|m3 {
    (%10: i64, %11: array<f64, 1> in m0|m2, %12: array<f64, 1> in m1|m3):
      %13: array<f64, 1> in m2 = empty %3
      for %6, %3, %7 !r m0|m1|m2|m3 !w m2 {
      (%14: i64):
        %15: f64 = load_raw %11, %14 !r m0|m2
        %16: f64 = load_raw %12, %14 !r m1|m3
        %17: f64 = add %15, %16
        store_raw %13, %17, %14 !w m2
        continue[0]
      }
      %18: array<f64, 1> in m3 = empty %3
      for %6, %3, %7 !r m1|m3 !w m3 {
      (%19: i64):
        %20: f64 = load_raw %12, %19 !r m1|m3
        %21: f64 = add %20, %20
        store_raw %18, %21, %19 !w m3
        continue[0]
      }
      continue[0] %13, %18
    }
    return %8, %9
  } else {
    %22: i64 = const 0
    %23: i64 = const 1
    %24: array<f64, 1> in m0|m4, %25: array<f64, 1> in m1|m5 = for %22, %2, %23, %0, %1 !r m0|m1|m4|m5 !w m4|m5 {
    (%26: i64, %27: array<f64, 1> in m0|m4, %28: array<f64, 1> in m1|m5):
      %29: i64 = dim[0] %27
      %30: bool = eq %29, %4
      %31: bool = eq %29, %23
      %32: bool = eq %4, %23
      %33: bool = or %31, %32
      %34: bool = or %30, %33
      check[ValueError, "operands could not be broadcast together with shapes ({0},) ({1},) "] %34, %29, %4
      %35: i64 = select %31, %4, %29
      %36: array<f64, 1> in m4 = empty %35
      if %30 !r m0|m1|m4|m5 !w m4 {
        for %22, %35, %23 !r m0|m1|m4|m5 !w m4 {
        (%37: i64):
          %38: f64 = load_raw %27, %37 !r m0|m4
          %39: f64 = load_raw %28, %37 !r m1|m5
          %40: f64 = add %38, %39
          store_raw %36, %40, %37 !w m4
          continue[0]
        }
        yield
      } else {
        for %22, %35, %23 !r m0|m1|m4|m5 !w m4 {
        (%41: i64):
          %42: i64 = select %31, %22, %41
          %43: i64 = select %32, %22, %41
          %44: f64 = load_raw %27, %42 !r m0|m4
          %45: f64 = load_raw %28, %43 !r m1|m5
          %46: f64 = add %44, %45
          store_raw %36, %46, %41 !w m4
          continue[0]
        }
        yield
      }
      %47: array<f64, 1> in m5 = empty %4
      for %22, %4, %23 !r m1|m5 !w m5 {
      (%48: i64):
        %49: f64 = load_raw %28, %48 !r m1|m5
        %50: f64 = add %49, %49
        store_raw %47, %50, %48 !w m5
        continue[0]
      }
      continue[0] %36, %47
    }
    return %24, %25
  }
  unreachable
}
