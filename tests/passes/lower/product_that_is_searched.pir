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
  %15: bool = ge %2, %13
  %16: bool = or %14, %15
  %17: bool = le %3, %13
  %18: bool = and %16, %17
  if %18 !r m0|m1|m4|m5 !w m3|m4|m5 {
    %19: array<f64, 2> in m4 = empty %2, %5
    %20: f64 = const 0.0
    for %8, %2, %10 !r m0|m1 !w m4 {
    (%21: i64):
      for %8, %5, %10 !r m0|m1 !w m4 {
      (%22: i64):
        %23: f64 = for %8, %3, %10, %20 !r m0|m1 {
        (%24: i64, %25: f64):
          %26: f64 = load_raw %0, %21, %24 !r m0
          %27: f64 = load_raw %1, %24, %22 !r m1
          %28: f64 = mul %26, %27
          %29: f64 = add %25, %28
          continue[0] %29
        }
        store_raw %19, %23, %21, %22 !w m4
        continue[0]
      }
      continue[0]
    }
    %30: i64 = const 40
    %31: bool = le %5, %30
    for %8, %2, %10 !r m4 !w m3 {
    (%32: i64):
      %33: f64 = const -inf
      %34: bool = const true
      %35: f64, %36: i64, %37: bool = for %8, %5, %10, %33, %8, %34 !r m4 {
      (%38: i64, %39: f64, %40: i64, %41: bool):
        %42: f64 = load_raw %19, %32, %38 !r m4
        %43: bool = le %42, %39
        %44: bool = not %43
        %45: bool = and %44, %41
        %46: bool = isnan %42
        %47: bool = not %46
        %48: f64 = select %45, %42, %39
        %49: i64 = select %45, %38, %40
        %50: bool = and %41, %47
        continue[0] %48, %49, %50
      }
      store_raw %11, %36, %32 !w m3
      continue[0]
    }
    yield
  } else {
    %51: array<f64, 2> in m5 = empty %2, %5
    %52: i64 = mul %2, %3
    %53: i64 = mul %52, %5
    matmul %0, %1, %51 !r m0|m1|m5 !w m5
    %54: i64 = const 40
    %55: bool = le %5, %54
    if %55 !r m5 !w m3 {
      for %8, %2, %10 !r m5 !w m3 {
      (%56: i64):
        %57: f64 = const -inf
        %58: bool = const false
        %59: f64, %60: i64, %61: bool = for %8, %5, %10, %57, %8, %58 !r m5 {
        (%62: i64, %63: f64, %64: i64, %65: bool):
          %66: f64 = load_raw %51, %56, %62 !r m5
          %67: bool = gt %66, %63
          %68: f64 = select %67, %66, %63
          %69: i64 = select %67, %62, %64
          %70: bool = isnan %66
          %71: bool = or %65, %70
          continue[0] %68, %69, %71
        }
        %72: i64 = if %61 !r m5 {
          %73: i64 = for %8, %5, %10, %8 !r m5 {
          (%74: i64, %75: i64):
            %76: f64 = load_raw %51, %56, %74 !r m5
            %77: bool = isnan %76
            if %77 {
              break[0] %74
            } else {
              yield
            }
            continue[0] %8
          }
          yield %73
        } else {
          yield %60
        }
        %78: f64 = const nan
        %79: f64 = select %61, %78, %59
        store_raw %11, %72, %56 !w m3
        continue[0]
      }
      yield
    } else {
      for %8, %2, %10 !r m5 !w m3 {
      (%80: i64):
        %81: i64 = const 256
        %82: f64 = const -inf
        %83: f64, %84: i64 = for %8, %5, %81, %82, %8 !r m5 {
        (%85: i64, %86: f64, %87: i64):
          %88: i64 = sub %5, %85
          %89: i64 = min %88, %81
          %90: i64 = add %85, %89
          %91: f64 = for %85, %90, %10, %82 !r m5 {
          (%92: i64, %93: f64):
            %94: f64 = load_raw %51, %80, %92 !r m5
            %95: f64 = max %93, %94
            continue[0] %95
          }
          %96: bool = gt %91, %86
          %97: bool = isnan %91
          %98: bool = isnan %86
          %99: bool = not %98
          %100: bool = or %96, %97
          %101: bool = and %100, %99
          %102: f64 = select %101, %91, %86
          %103: i64 = select %101, %85, %87
          continue[0] %102, %103
        }
        %104: i64 = sub %5, %84
        %105: i64 = min %104, %81
        %106: i64 = add %84, %105
        %107: bool = isnan %83
        %108: i64 = for %84, %106, %10, %106 !r m5 {
        (%109: i64, %110: i64):
          %111: f64 = load_raw %51, %80, %109 !r m5
          %112: bool = eq %111, %83
          %113: bool = isnan %111
          %114: bool = and %113, %107
          %115: bool = or %112, %114
          %116: i64 = select %115, %109, %106
          %117: i64 = min %110, %116
          continue[0] %117
        }
        store_raw %11, %108, %80 !w m3
        continue[0]
      }
      yield
    }
    yield
  }
  return %11
}
