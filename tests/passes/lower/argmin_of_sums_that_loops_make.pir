; A third way beside those for few elements and for many: sums of few terms are looked at one by one, so that the loops join.
; pass: lower
; count: reduce = 0
; count: if = 4
; run: @f([[0.0, 1.0], [5.0, 5.0], [nan, 0.0]], [[4.0, 4.0], [0.0, 0.0], [0.0, 0.0]]) = [1, 0, 0]
func @f array fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1) -> (array<i64, 1>) {
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
  return %at
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1) -> (array<i64, 1>) {
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
  %26: i64 = const 2000
  %27: i64 = const 4
  %28: bool = le %4, %26
  %29: bool = ge %2, %27
  %30: bool = or %28, %29
  %31: bool = le %3, %27
  %32: bool = and %30, %31
  if %32 !r m2 !w m3 {
    for %7, %2, %8 !r m2 !w m3 {
    (%33: i64):
      %34: f64 = const inf
      %35: bool = const true
      %36: f64, %37: i64, %38: bool = for %7, %4, %8, %34, %7, %35 !r m2 {
      (%39: i64, %40: f64, %41: i64, %42: bool):
        %43: f64 = load_raw %6, %33, %39 !r m2
        %44: bool = ge %43, %40
        %45: bool = not %44
        %46: bool = and %45, %42
        %47: bool = isnan %43
        %48: bool = not %47
        %49: f64 = select %46, %43, %40
        %50: i64 = select %46, %39, %41
        %51: bool = and %42, %48
        continue[0] %49, %50, %51
      }
      store_raw %23, %37, %33 !w m3
      continue[0]
    }
    yield
  } else {
    if %25 !r m2 !w m3 {
      for %7, %2, %8 !r m2 !w m3 {
      (%52: i64):
        %53: f64 = const inf
        %54: bool = const false
        %55: f64, %56: i64, %57: bool = for %7, %4, %8, %53, %7, %54 !r m2 {
        (%58: i64, %59: f64, %60: i64, %61: bool):
          %62: f64 = load_raw %6, %52, %58 !r m2
          %63: bool = lt %62, %59
          %64: f64 = select %63, %62, %59
          %65: i64 = select %63, %58, %60
          %66: bool = isnan %62
          %67: bool = or %61, %66
          continue[0] %64, %65, %67
        }
        %68: i64 = if %57 !r m2 {
          %69: i64 = for %7, %4, %8, %7 !r m2 {
          (%70: i64, %71: i64):
            %72: f64 = load_raw %6, %52, %70 !r m2
            %73: bool = isnan %72
            if %73 {
              break[0] %70
            } else {
              yield
            }
            continue[0] %7
          }
          yield %69
        } else {
          yield %56
        }
        %74: f64 = const nan
        %75: f64 = select %57, %74, %55
        store_raw %23, %68, %52 !w m3
        continue[0]
      }
      yield
    } else {
      for %7, %2, %8 !r m2 !w m3 {
      (%76: i64):
        %77: i64 = const 256
        %78: f64 = const inf
        %79: f64, %80: i64 = for %7, %4, %77, %78, %7 !r m2 {
        (%81: i64, %82: f64, %83: i64):
          %84: i64 = sub %4, %81
          %85: i64 = min %84, %77
          %86: i64 = add %81, %85
          %87: f64 = for %81, %86, %8, %78 !r m2 {
          (%88: i64, %89: f64):
            %90: f64 = load_raw %6, %76, %88 !r m2
            %91: f64 = min %89, %90
            continue[0] %91
          }
          %92: bool = lt %87, %82
          %93: bool = isnan %87
          %94: bool = isnan %82
          %95: bool = not %94
          %96: bool = or %92, %93
          %97: bool = and %96, %95
          %98: f64 = select %97, %87, %82
          %99: i64 = select %97, %81, %83
          continue[0] %98, %99
        }
        %100: i64 = sub %4, %80
        %101: i64 = min %100, %77
        %102: i64 = add %80, %101
        %103: bool = isnan %79
        %104: i64 = for %80, %102, %8, %102 !r m2 {
        (%105: i64, %106: i64):
          %107: f64 = load_raw %6, %76, %105 !r m2
          %108: bool = eq %107, %79
          %109: bool = isnan %107
          %110: bool = and %109, %103
          %111: bool = or %108, %110
          %112: i64 = select %111, %105, %102
          %113: i64 = min %106, %112
          continue[0] %113
        }
        store_raw %23, %104, %76 !w m3
        continue[0]
      }
      yield
    }
    yield
  }
  return %23
}
