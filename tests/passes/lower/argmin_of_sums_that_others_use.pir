; What is returned as well is made beside its search, which goes the two ways of all others.
; pass: lower
; count: reduce = 0
; count: if = 3
func @f array fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1) -> (array<i64, 1>, array<f64, 2>) {
  %m: i64 = dim[0] %a
  %d: i64 = dim[1] %a
  %n: i64 = dim[0] %b
  %r: array<f64, 2> = empty %m, %n
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  for %zero, %m, %one {
  (%i: i64):
    for %zero, %n, %one {
    (%j: i64):
      %s: f64 = for %zero, %d, %one, %none {
      (%k: i64, %t: f64):
        %x: f64 = load %a, %i, %k
        %y: f64 = load %b, %j, %k
        %z: f64 = sub %x, %y
        %q: f64 = mul %z, %z
        %u: f64 = add %t, %q
        continue[0] %u
      }
      %root: f64 = sqrt %s
      store %r, %root, %i, %j
      continue[0]
    }
    continue[0]
  }
  %at: array<i64, 1> = reduce[argmin axes 1] %r
  return %at, %r
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1) -> (array<i64, 1>, array<f64, 2>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[1] %1
  %6: array<f64, 2> in m2 = empty %2, %4
  %7: i64 = const 0
  %8: i64 = const 1
  %9: f64 = const 0.0
  for %7, %2, %8 !r m0|m1 !w m2 {
  (%10: i64):
    for %7, %4, %8 !r m0|m1 !w m2 {
    (%11: i64):
      %12: f64 = for %7, %3, %8, %9 !r m0|m1 {
      (%13: i64, %14: f64):
        %15: f64 = load_raw %0, %10, %13 !r m0
        %16: bool = lt %13, %5
        check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %16, %13, %5
        %17: f64 = load_raw %1, %11, %13 !r m1
        %18: f64 = sub %15, %17
        %19: f64 = mul %18, %18
        %20: f64 = add %14, %19
        continue[0] %20
      }
      %21: f64 = sqrt %12
      store_raw %6, %21, %10, %11 !w m2
      continue[0]
    }
    continue[0]
  }
  %22: bool = ne %4, %7
  check[ValueError, "attempt to get argmin of an empty sequence"] %22
  %23: array<i64, 1> in m3 = empty %2
  %24: i64 = const 40
  %25: bool = le %4, %24
  if %25 !r m2 !w m3 {
    for %7, %2, %8 !r m2 !w m3 {
    (%26: i64):
      %27: f64 = const inf
      %28: bool = const false
      %29: f64, %30: i64, %31: bool = for %7, %4, %8, %27, %7, %28 !r m2 {
      (%32: i64, %33: f64, %34: i64, %35: bool):
        %36: f64 = load_raw %6, %26, %32 !r m2
        %37: bool = lt %36, %33
        %38: f64 = select %37, %36, %33
        %39: i64 = select %37, %32, %34
        %40: bool = isnan %36
        %41: bool = or %35, %40
        continue[0] %38, %39, %41
      }
      %42: i64 = if %31 !r m2 {
        %43: i64 = for %7, %4, %8, %7 !r m2 {
        (%44: i64, %45: i64):
          %46: f64 = load_raw %6, %26, %44 !r m2
          %47: bool = isnan %46
          if %47 {
            break[0] %44
          } else {
            yield
          }
          continue[0] %7
        }
        yield %43
      } else {
        yield %30
      }
      %48: f64 = const nan
      %49: f64 = select %31, %48, %29
      store_raw %23, %42, %26 !w m3
      continue[0]
    }
    yield
  } else {
    for %7, %2, %8 !r m2 !w m3 {
    (%50: i64):
      %51: i64 = const 256
      %52: f64 = const inf
      %53: f64, %54: i64 = for %7, %4, %51, %52, %7 !r m2 {
      (%55: i64, %56: f64, %57: i64):
        %58: i64 = sub %4, %55
        %59: i64 = min %58, %51
        %60: i64 = add %55, %59
        %61: f64 = for %55, %60, %8, %52 !r m2 {
        (%62: i64, %63: f64):
          %64: f64 = load_raw %6, %50, %62 !r m2
          %65: f64 = min %63, %64
          continue[0] %65
        }
        %66: bool = lt %61, %56
        %67: bool = isnan %61
        %68: bool = isnan %56
        %69: bool = not %68
        %70: bool = or %66, %67
        %71: bool = and %70, %69
        %72: f64 = select %71, %61, %56
        %73: i64 = select %71, %55, %57
        continue[0] %72, %73
      }
      %74: i64 = sub %4, %54
      %75: i64 = min %74, %51
      %76: i64 = add %54, %75
      %77: bool = isnan %53
      %78: i64 = for %54, %76, %8, %76 !r m2 {
      (%79: i64, %80: i64):
        %81: f64 = load_raw %6, %50, %79 !r m2
        %82: bool = eq %81, %53
        %83: bool = isnan %81
        %84: bool = and %83, %77
        %85: bool = or %82, %84
        %86: i64 = select %85, %79, %76
        %87: i64 = min %80, %86
        continue[0] %87
      }
      store_raw %23, %78, %50 !w m3
      continue[0]
    }
    yield
  }
  return %23, %6
}
