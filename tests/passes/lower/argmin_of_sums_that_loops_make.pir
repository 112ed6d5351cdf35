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
  %29: bool = le %3, %27
  %30: bool = and %28, %29
  if %30 !r m2 !w m3 {
    for %7, %2, %8 !r m2 !w m3 {
    (%31: i64):
      %32: f64 = const inf
      %33: bool = const true
      %34: f64, %35: i64, %36: bool = for %7, %4, %8, %32, %7, %33 !r m2 {
      (%37: i64, %38: f64, %39: i64, %40: bool):
        %41: f64 = load_raw %6, %31, %37 !r m2
        %42: bool = ge %41, %38
        %43: bool = not %42
        %44: bool = and %43, %40
        %45: bool = isnan %41
        %46: bool = not %45
        %47: f64 = select %44, %41, %38
        %48: i64 = select %44, %37, %39
        %49: bool = and %40, %46
        continue[0] %47, %48, %49
      }
      store_raw %23, %35, %31 !w m3
      continue[0]
    }
    yield
  } else {
    if %25 !r m2 !w m3 {
      for %7, %2, %8 !r m2 !w m3 {
      (%50: i64):
        %51: f64 = const inf
        %52: bool = const false
        %53: f64, %54: i64, %55: bool = for %7, %4, %8, %51, %7, %52 !r m2 {
        (%56: i64, %57: f64, %58: i64, %59: bool):
          %60: f64 = load_raw %6, %50, %56 !r m2
          %61: bool = lt %60, %57
          %62: f64 = select %61, %60, %57
          %63: i64 = select %61, %56, %58
          %64: bool = isnan %60
          %65: bool = or %59, %64
          continue[0] %62, %63, %65
        }
        %66: i64 = if %55 !r m2 {
          %67: i64 = for %7, %4, %8, %7 !r m2 {
          (%68: i64, %69: i64):
            %70: f64 = load_raw %6, %50, %68 !r m2
            %71: bool = isnan %70
            if %71 {
              break[0] %68
            } else {
              yield
            }
            continue[0] %7
          }
          yield %67
        } else {
          yield %54
        }
        store_raw %23, %66, %50 !w m3
        continue[0]
      }
      yield
    } else {
      for %7, %2, %8 !r m2 !w m3 {
      (%72: i64):
        %73: i64 = const 256
        %74: f64 = const inf
        %75: f64, %76: i64 = for %7, %4, %73, %74, %7 !r m2 {
        (%77: i64, %78: f64, %79: i64):
          %80: i64 = sub %4, %77
          %81: i64 = min %80, %73
          %82: i64 = add %77, %81
          %83: f64 = for %77, %82, %8, %74 !r m2 {
          (%84: i64, %85: f64):
            %86: f64 = load_raw %6, %72, %84 !r m2
            %87: f64 = min %85, %86
            continue[0] %87
          }
          %88: bool = lt %83, %78
          %89: bool = isnan %83
          %90: bool = isnan %78
          %91: bool = not %90
          %92: bool = or %88, %89
          %93: bool = and %92, %91
          %94: f64 = select %93, %83, %78
          %95: i64 = select %93, %77, %79
          continue[0] %94, %95
        }
        %96: i64 = sub %4, %76
        %97: i64 = min %96, %73
        %98: i64 = add %76, %97
        %99: bool = isnan %75
        %100: i64 = for %76, %98, %8, %98 !r m2 {
        (%101: i64, %102: i64):
          %103: f64 = load_raw %6, %72, %101 !r m2
          %104: bool = eq %103, %75
          %105: bool = isnan %103
          %106: bool = and %105, %99
          %107: bool = or %104, %106
          %108: i64 = select %107, %101, %98
          %109: i64 = min %102, %108
          continue[0] %109
        }
        store_raw %23, %100, %72 !w m3
        continue[0]
      }
      yield
    }
    yield
  }
  return %23
}
