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
  %12: i64 = const 4
  %13: bool = le %3, %12
  if %13 !r m0|m1|m4|m5 !w m3|m4|m5 {
    %14: array<f64, 2> in m4 = empty %2, %5
    %15: f64 = const 0.0
    for %8, %2, %10 !r m0|m1 !w m4 {
    (%16: i64):
      for %8, %5, %10 !r m0|m1 !w m4 {
      (%17: i64):
        %18: f64 = for %8, %3, %10, %15 !r m0|m1 {
        (%19: i64, %20: f64):
          %21: f64 = load_raw %0, %16, %19 !r m0
          %22: f64 = load_raw %1, %19, %17 !r m1
          %23: f64 = mul %21, %22
          %24: f64 = add %20, %23
          continue[0] %24
        }
        store_raw %14, %18, %16, %17 !w m4
        continue[0]
      }
      continue[0]
    }
    %25: i64 = const 40
    %26: bool = le %5, %25
    for %8, %2, %10 !r m4 !w m3 {
    (%27: i64):
      %28: f64 = const -inf
      %29: bool = const true
      %30: f64, %31: i64, %32: bool = for %8, %5, %10, %28, %8, %29 !r m4 {
      (%33: i64, %34: f64, %35: i64, %36: bool):
        %37: f64 = load_raw %14, %27, %33 !r m4
        %38: bool = le %37, %34
        %39: bool = not %38
        %40: bool = and %39, %36
        %41: bool = isnan %37
        %42: bool = not %41
        %43: f64 = select %40, %37, %34
        %44: i64 = select %40, %33, %35
        %45: bool = and %36, %42
        continue[0] %43, %44, %45
      }
      store_raw %11, %31, %27 !w m3
      continue[0]
    }
    yield
  } else {
    %46: array<f64, 2> in m5 = empty %2, %5
    %47: i64 = mul %2, %3
    %48: i64 = mul %47, %5
    matmul %0, %1, %46 !r m0|m1|m5 !w m5
    %49: i64 = const 40
    %50: bool = le %5, %49
    if %50 !r m5 !w m3 {
      for %8, %2, %10 !r m5 !w m3 {
      (%51: i64):
        %52: f64 = const -inf
        %53: bool = const false
        %54: f64, %55: i64, %56: bool = for %8, %5, %10, %52, %8, %53 !r m5 {
        (%57: i64, %58: f64, %59: i64, %60: bool):
          %61: f64 = load_raw %46, %51, %57 !r m5
          %62: bool = gt %61, %58
          %63: f64 = select %62, %61, %58
          %64: i64 = select %62, %57, %59
          %65: bool = isnan %61
          %66: bool = or %60, %65
          continue[0] %63, %64, %66
        }
        %67: i64 = if %56 !r m5 {
          %68: i64 = for %8, %5, %10, %8 !r m5 {
          (%69: i64, %70: i64):
            %71: f64 = load_raw %46, %51, %69 !r m5
            %72: bool = isnan %71
            if %72 {
              break[0] %69
            } else {
              yield
            }
            continue[0] %8
          }
          yield %68
        } else {
          yield %55
        }
        %73: f64 = const nan
        %74: f64 = select %56, %73, %54
        store_raw %11, %67, %51 !w m3
        continue[0]
      }
      yield
    } else {
      for %8, %2, %10 !r m5 !w m3 {
      (%75: i64):
        %76: i64 = const 256
        %77: f64 = const -inf
        %78: f64, %79: i64 = for %8, %5, %76, %77, %8 !r m5 {
        (%80: i64, %81: f64, %82: i64):
          %83: i64 = sub %5, %80
          %84: i64 = min %83, %76
          %85: i64 = add %80, %84
          %86: f64 = for %80, %85, %10, %77 !r m5 {
          (%87: i64, %88: f64):
            %89: f64 = load_raw %46, %75, %87 !r m5
            %90: f64 = max %88, %89
            continue[0] %90
          }
          %91: bool = gt %86, %81
          %92: bool = isnan %86
          %93: bool = isnan %81
          %94: bool = not %93
          %95: bool = or %91, %92
          %96: bool = and %95, %94
          %97: f64 = select %96, %86, %81
          %98: i64 = select %96, %80, %82
          continue[0] %97, %98
        }
        %99: i64 = sub %5, %79
        %100: i64 = min %99, %76
        %101: i64 = add %79, %100
        %102: bool = isnan %78
        %103: i64 = for %79, %101, %10, %101 !r m5 {
        (%104: i64, %105: i64):
          %106: f64 = load_raw %46, %75, %104 !r m5
          %107: bool = eq %106, %78
          %108: bool = isnan %106
          %109: bool = and %108, %102
          %110: bool = or %107, %109
          %111: i64 = select %110, %104, %101
          %112: i64 = min %105, %111
          continue[0] %112
        }
        store_raw %11, %103, %75 !w m3
        continue[0]
      }
      yield
    }
    yield
  }
  return %11
}
