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
  %26: i64 = const 4
  %27: bool = le %3, %26
  if %27 !r m2 !w m3 {
    for %7, %2, %8 !r m2 !w m3 {
    (%28: i64):
      %29: f64 = const inf
      %30: bool = const true
      %31: f64, %32: i64, %33: bool = for %7, %4, %8, %29, %7, %30 !r m2 {
      (%34: i64, %35: f64, %36: i64, %37: bool):
        %38: f64 = load_raw %6, %28, %34 !r m2
        %39: bool = ge %38, %35
        %40: bool = not %39
        %41: bool = and %40, %37
        %42: bool = isnan %38
        %43: bool = not %42
        %44: f64 = select %41, %38, %35
        %45: i64 = select %41, %34, %36
        %46: bool = and %37, %43
        continue[0] %44, %45, %46
      }
      store_raw %23, %32, %28 !w m3
      continue[0]
    }
    yield
  } else {
    if %25 !r m2 !w m3 {
      for %7, %2, %8 !r m2 !w m3 {
      (%47: i64):
        %48: f64 = const inf
        %49: bool = const false
        %50: f64, %51: i64, %52: bool = for %7, %4, %8, %48, %7, %49 !r m2 {
        (%53: i64, %54: f64, %55: i64, %56: bool):
          %57: f64 = load_raw %6, %47, %53 !r m2
          %58: bool = lt %57, %54
          %59: f64 = select %58, %57, %54
          %60: i64 = select %58, %53, %55
          %61: bool = isnan %57
          %62: bool = or %56, %61
          continue[0] %59, %60, %62
        }
        %63: i64 = if %52 !r m2 {
          %64: i64 = for %7, %4, %8, %7 !r m2 {
          (%65: i64, %66: i64):
            %67: f64 = load_raw %6, %47, %65 !r m2
            %68: bool = isnan %67
            if %68 {
              break[0] %65
            } else {
              yield
            }
            continue[0] %7
          }
          yield %64
        } else {
          yield %51
        }
        %69: f64 = const nan
        %70: f64 = select %52, %69, %50
        store_raw %23, %63, %47 !w m3
        continue[0]
      }
      yield
    } else {
      for %7, %2, %8 !r m2 !w m3 {
      (%71: i64):
        %72: i64 = const 256
        %73: f64 = const inf
        %74: f64, %75: i64 = for %7, %4, %72, %73, %7 !r m2 {
        (%76: i64, %77: f64, %78: i64):
          %79: i64 = sub %4, %76
          %80: i64 = min %79, %72
          %81: i64 = add %76, %80
          %82: f64 = for %76, %81, %8, %73 !r m2 {
          (%83: i64, %84: f64):
            %85: f64 = load_raw %6, %71, %83 !r m2
            %86: f64 = min %84, %85
            continue[0] %86
          }
          %87: bool = lt %82, %77
          %88: bool = isnan %82
          %89: bool = isnan %77
          %90: bool = not %89
          %91: bool = or %87, %88
          %92: bool = and %91, %90
          %93: f64 = select %92, %82, %77
          %94: i64 = select %92, %76, %78
          continue[0] %93, %94
        }
        %95: i64 = sub %4, %75
        %96: i64 = min %95, %72
        %97: i64 = add %75, %96
        %98: bool = isnan %74
        %99: i64 = for %75, %97, %8, %97 !r m2 {
        (%100: i64, %101: i64):
          %102: f64 = load_raw %6, %71, %100 !r m2
          %103: bool = eq %102, %74
          %104: bool = isnan %102
          %105: bool = and %104, %98
          %106: bool = or %103, %105
          %107: i64 = select %106, %100, %97
          %108: i64 = min %101, %107
          continue[0] %108
        }
        store_raw %23, %99, %71 !w m3
        continue[0]
      }
      yield
    }
    yield
  }
  return %23
}
