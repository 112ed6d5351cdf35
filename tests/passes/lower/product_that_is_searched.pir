; It is made where it is searched: of short sums by loops, else by the runtime.
; pass: lower
; count: matmul = 1
; count: empty = 4
; run: @f([[1.0, 2.0], [0.0, -1.0]], [[1.0, 0.0, 3.0], [0.0, 5.0, 1.0]]) = [1, 0]
func @f array fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1) -> (array<i64, 1>) {
  %p: array<f64, 2> = matmul %a, %b
  %at: array<i64, 1> = reduce[argmax axes 1] %p
  return %at
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1) -> (array<i64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[1] %1
  %6: bool = eq %4, %3
  check[ValueError, "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {0} is different from {1})"] %6, %4, %3
  %7: array<f64, 2> in m2 = empty %2, %5
  %8: i64 = const 0
  %9: bool = ne %5, %8
  check[ValueError, "attempt to get argmax of an empty sequence"] %9
  %10: i64 = const 1
  %11: array<i64, 1> in m3 = empty %2
  %12: i64 = const 2000
  %13: i64 = const 4
  %14: bool = le %5, %12
  %15: bool = le %3, %13
  %16: bool = and %14, %15
  if %16 !r m0|m1|m4|m5 !w m3|m4|m5 {
    %17: array<f64, 2> in m4 = empty %2, %5
    %18: f64 = const 0.0
    for %8, %2, %10 !r m0|m1 !w m4 {
    (%19: i64):
      for %8, %5, %10 !r m0|m1 !w m4 {
      (%20: i64):
        %21: f64 = for %8, %3, %10, %18 !r m0|m1 {
        (%22: i64, %23: f64):
          %24: f64 = load_raw %0, %19, %22 !r m0
          %25: f64 = load_raw %1, %22, %20 !r m1
          %26: f64 = mul %24, %25
          %27: f64 = add %23, %26
          continue[0] %27
        }
        store_raw %17, %21, %19, %20 !w m4
        continue[0]
      }
      continue[0]
    }
    %28: i64 = const 40
    %29: bool = le %5, %28
    for %8, %2, %10 !r m4 !w m3 {
    (%30: i64):
      %31: f64 = const -inf
      %32: bool = const true
      %33: f64, %34: i64, %35: bool = for %8, %5, %10, %31, %8, %32 !r m4 {
      (%36: i64, %37: f64, %38: i64, %39: bool):
        %40: f64 = load_raw %17, %30, %36 !r m4
        %41: bool = le %40, %37
        %42: bool = not %41
        %43: bool = and %42, %39
        %44: bool = isnan %40
        %45: bool = not %44
        %46: f64 = select %43, %40, %37
        %47: i64 = select %43, %36, %38
        %48: bool = and %39, %45
        continue[0] %46, %47, %48
      }
      store_raw %11, %34, %30 !w m3
      continue[0]
    }
    yield
  } else {
    %49: array<f64, 2> in m5 = empty %2, %5
    %50: i64 = mul %2, %3
    %51: i64 = mul %50, %5
    matmul %0, %1, %49 !r m0|m1|m5 !w m5
    %52: i64 = const 40
    %53: bool = le %5, %52
    if %53 !r m5 !w m3 {
      for %8, %2, %10 !r m5 !w m3 {
      (%54: i64):
        %55: f64 = const -inf
        %56: bool = const false
        %57: f64, %58: i64, %59: bool = for %8, %5, %10, %55, %8, %56 !r m5 {
        (%60: i64, %61: f64, %62: i64, %63: bool):
          %64: f64 = load_raw %49, %54, %60 !r m5
          %65: bool = gt %64, %61
          %66: f64 = select %65, %64, %61
          %67: i64 = select %65, %60, %62
          %68: bool = isnan %64
          %69: bool = or %63, %68
          continue[0] %66, %67, %69
        }
        %70: i64 = if %59 !r m5 {
          %71: i64 = for %8, %5, %10, %8 !r m5 {
          (%72: i64, %73: i64):
            %74: f64 = load_raw %49, %54, %72 !r m5
            %75: bool = isnan %74
            if %75 {
              break[0] %72
            } else {
              yield
            }
            continue[0] %8
          }
          yield %71
        } else {
          yield %58
        }
        store_raw %11, %70, %54 !w m3
        continue[0]
      }
      yield
    } else {
      for %8, %2, %10 !r m5 !w m3 {
      (%76: i64):
        %77: i64 = const 256
        %78: f64 = const -inf
        %79: f64, %80: i64 = for %8, %5, %77, %78, %8 !r m5 {
        (%81: i64, %82: f64, %83: i64):
          %84: i64 = sub %5, %81
          %85: i64 = min %84, %77
          %86: i64 = add %81, %85
          %87: f64 = for %81, %86, %10, %78 !r m5 {
          (%88: i64, %89: f64):
            %90: f64 = load_raw %49, %76, %88 !r m5
            %91: f64 = max %89, %90
            continue[0] %91
          }
          %92: bool = gt %87, %82
          %93: bool = isnan %87
          %94: bool = isnan %82
          %95: bool = not %94
          %96: bool = or %92, %93
          %97: bool = and %96, %95
          %98: f64 = select %97, %87, %82
          %99: i64 = select %97, %81, %83
          continue[0] %98, %99
        }
        %100: i64 = sub %5, %80
        %101: i64 = min %100, %77
        %102: i64 = add %80, %101
        %103: bool = isnan %79
        %104: i64 = for %80, %102, %10, %102 !r m5 {
        (%105: i64, %106: i64):
          %107: f64 = load_raw %49, %76, %105 !r m5
          %108: bool = eq %107, %79
          %109: bool = isnan %107
          %110: bool = and %109, %103
          %111: bool = or %108, %110
          %112: i64 = select %111, %105, %102
          %113: i64 = min %106, %112
          continue[0] %113
        }
        store_raw %11, %104, %76 !w m3
        continue[0]
      }
      yield
    }
    yield
  }
  return %11
}
