; Where both arguments are as long, what the loop carries is so in each step: one nest is left in the usual body.
; pass: expect-lengths
; run: @f([1.0, 2.0], [3.0, 4.0], 2) = [7.0, 10.0]
; run: @f([1.0, 2.0], [3.0], 1) = [4.0, 5.0]
; run: @f([1.0, 2.0], [3.0, 4.0], 0) = [1.0, 2.0]
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %u: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    store_raw %u, %x, %i
    continue[0]
  }
  %v: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %y: f64 = load_raw %b, %j
    store_raw %v, %y, %j
    continue[0]
  }
  %last: array<f64, 1> = for %zero, %steps, %one, %u {
  (%t: i64, %old: array<f64, 1>):
    %k: i64 = dim[0] %old
    %same: bool = eq %k, %m
    %single: bool = eq %k, %one
    %l: i64 = select %single, %m, %k
    %new: array<f64, 1> = empty %l
    if %same {
      for %zero, %l, %one {
      (%p: i64):
        %c: f64 = load_raw %old, %p
        %d: f64 = load_raw %v, %p
        %e: f64 = add %c, %d
        store_raw %new, %e, %p
        continue[0]
      }
      yield
    } else {
      for %zero, %l, %one {
      (%q: i64):
        %g: f64 = load_raw %old, %q
        %h: f64 = load_raw %v, %zero
        %r: f64 = add %g, %h
        store_raw %new, %r, %q
        continue[0]
      }
      yield
    }
    continue[0] %new
  }
  return %last
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (array<f64, 1>) {
  %3: bool = const true
  %4: i64 = dim[0] %0
  %5: i64 = dim[0] %1
  %6: bool = eq %4, %5
  if %6 !r m0|m1|m2|m3|m4|m5|m6|m7 !w m2|m3|m4|m5|m6|m7 {
    %7: i64 = const 0
    %8: i64 = const 1
    %9: i64 = dim[0] %0
    %10: i64 = dim[0] %1
    %11: array<f64, 1> in m2 = empty %9
    for %7, %9, %8 !r m0 !w m2 {
    (%12: i64):
      %13: f64 = load_raw %0, %12 !r m0
      store_raw %11, %13, %12 !w m2
      continue[0]
    }
    %14: array<f64, 1> in m3 = empty %9
    for %7, %9, %8 !r m1 !w m3 {
    (%15: i64):
      %16: f64 = load_raw %1, %15 !r m1
      store_raw %14, %16, %15 !w m3
      continue[0]
    }
    %17: array<f64, 1> in m2|m4 = for %7, %2, %8, %11 !r m2|m3|m4 !w m4 {
    (%18: i64, %19: array<f64, 1> in m2|m4):
      %20: i64 = dim[0] %19
      %21: bool = eq %9, %9
      %22: bool = eq %9, %8
      %23: i64 = select %22, %9, %9
      %24: array<f64, 1> in m4 = empty %23
      if %3 !r m2|m3|m4 !w m4 {
        for %7, %23, %8 !r m2|m3|m4 !w m4 {
        (%25: i64):
          %26: f64 = load_raw %19, %25 !r m2|m4
          %27: f64 = load_raw %14, %25 !r m3
          %28: f64 = add %26, %27
          store_raw %24, %28, %25 !w m4
          continue[0]
        }
        yield
      } else {
        for %7, %23, %8 !r m2|m3|m4 !w m4 {
        (%29: i64):
          %30: f64 = load_raw %19, %29 !r m2|m4
          %31: f64 = load_raw %14, %7 !r m3
          %32: f64 = add %30, %31
          store_raw %24, %32, %29 !w m4
          continue[0]
        }
        yield
      }
      continue[0] %24
    }
    return %17
  } else {
    %33: i64 = const 0
    %34: i64 = const 1
    %35: i64 = dim[0] %0
    %36: i64 = dim[0] %1
    %37: array<f64, 1> in m5 = empty %35
    for %33, %35, %34 !r m0 !w m5 {
    (%38: i64):
      %39: f64 = load_raw %0, %38 !r m0
      store_raw %37, %39, %38 !w m5
      continue[0]
    }
    %40: array<f64, 1> in m6 = empty %36
    for %33, %36, %34 !r m1 !w m6 {
    (%41: i64):
      %42: f64 = load_raw %1, %41 !r m1
      store_raw %40, %42, %41 !w m6
      continue[0]
    }
    %43: array<f64, 1> in m5|m7 = for %33, %2, %34, %37 !r m5|m6|m7 !w m7 {
    (%44: i64, %45: array<f64, 1> in m5|m7):
      %46: i64 = dim[0] %45
      %47: bool = eq %46, %36
      %48: bool = eq %46, %34
      %49: i64 = select %48, %36, %46
      %50: array<f64, 1> in m7 = empty %49
      if %47 !r m5|m6|m7 !w m7 {
        for %33, %49, %34 !r m5|m6|m7 !w m7 {
        (%51: i64):
          %52: f64 = load_raw %45, %51 !r m5|m7
          %53: f64 = load_raw %40, %51 !r m6
          %54: f64 = add %52, %53
          store_raw %50, %54, %51 !w m7
          continue[0]
        }
        yield
      } else {
        for %33, %49, %34 !r m5|m6|m7 !w m7 {
        (%55: i64):
          %56: f64 = load_raw %45, %55 !r m5|m7
          %57: f64 = load_raw %40, %33 !r m6
          %58: f64 = add %56, %57
          store_raw %50, %58, %55 !w m7
          continue[0]
        }
        yield
      }
      continue[0] %50
    }
    return %43
  }
  unreachable
}
