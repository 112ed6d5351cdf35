; What is written in between is not seen by a product that others use as well, or whose operand is written.
; pass: lower
; count: matmul = 2
; count: empty = 4
; run: @written([[1.0, 2.0], [0.0, -1.0]], [[1.0, 0.0, 3.0], [0.0, 5.0, 1.0]]) = [1, 0]
func @written array fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %none: f64 = const 0.0
  %p: array<f64, 2> = matmul %a, %b
  store %a, %none, %zero, %zero
  %at: array<i64, 1> = reduce[argmax axes 1] %p
  return %at
}

func @given array fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1) -> (array<i64, 1>, array<f64, 2>) {
  %p: array<f64, 2> = matmul %a, %b
  %at: array<i64, 1> = reduce[argmax axes 1] %p
  return %at, %p
}
; ---- after
func @written loop fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1) -> (array<i64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[1] %1
  %6: i64 = const 0
  %7: f64 = const 0.0
  %8: bool = eq %4, %3
  check[ValueError, "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {0} is different from {1})"] %8, %4, %3
  %9: array<f64, 2> in m2 = empty %2, %5
  %10: i64 = const 1
  %11: i64 = mul %2, %3
  %12: i64 = mul %11, %5
  matmul %0, %1, %9 !r m0|m1|m2 !w m2
  %13: bool = lt %6, %2
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %13, %6, %2
  %14: bool = lt %6, %3
  check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %14, %6, %3
  store_raw %0, %7, %6, %6 !w m0
  %15: bool = ne %5, %6
  check[ValueError, "attempt to get argmax of an empty sequence"] %15
  %16: array<i64, 1> in m3 = empty %2
  %17: i64 = const 40
  %18: bool = le %5, %17
  if %18 !r m2 !w m3 {
    for %6, %2, %10 !r m2 !w m3 {
    (%19: i64):
      %20: f64 = const -inf
      %21: bool = const false
      %22: f64, %23: i64, %24: bool = for %6, %5, %10, %20, %6, %21 !r m2 {
      (%25: i64, %26: f64, %27: i64, %28: bool):
        %29: f64 = load_raw %9, %19, %25 !r m2
        %30: bool = gt %29, %26
        %31: f64 = select %30, %29, %26
        %32: i64 = select %30, %25, %27
        %33: bool = isnan %29
        %34: bool = or %28, %33
        continue[0] %31, %32, %34
      }
      %35: i64 = if %24 !r m2 {
        %36: i64 = for %6, %5, %10, %6 !r m2 {
        (%37: i64, %38: i64):
          %39: f64 = load_raw %9, %19, %37 !r m2
          %40: bool = isnan %39
          if %40 {
            break[0] %37
          } else {
            yield
          }
          continue[0] %6
        }
        yield %36
      } else {
        yield %23
      }
      %41: f64 = const nan
      %42: f64 = select %24, %41, %22
      store_raw %16, %35, %19 !w m3
      continue[0]
    }
    yield
  } else {
    for %6, %2, %10 !r m2 !w m3 {
    (%43: i64):
      %44: i64 = const 256
      %45: f64 = const -inf
      %46: f64, %47: i64 = for %6, %5, %44, %45, %6 !r m2 {
      (%48: i64, %49: f64, %50: i64):
        %51: i64 = sub %5, %48
        %52: i64 = min %51, %44
        %53: i64 = add %48, %52
        %54: f64 = for %48, %53, %10, %45 !r m2 {
        (%55: i64, %56: f64):
          %57: f64 = load_raw %9, %43, %55 !r m2
          %58: f64 = max %56, %57
          continue[0] %58
        }
        %59: bool = gt %54, %49
        %60: bool = isnan %54
        %61: bool = isnan %49
        %62: bool = not %61
        %63: bool = or %59, %60
        %64: bool = and %63, %62
        %65: f64 = select %64, %54, %49
        %66: i64 = select %64, %48, %50
        continue[0] %65, %66
      }
      %67: i64 = sub %5, %47
      %68: i64 = min %67, %44
      %69: i64 = add %47, %68
      %70: bool = isnan %46
      %71: i64 = for %47, %69, %10, %69 !r m2 {
      (%72: i64, %73: i64):
        %74: f64 = load_raw %9, %43, %72 !r m2
        %75: bool = eq %74, %46
        %76: bool = isnan %74
        %77: bool = and %76, %70
        %78: bool = or %75, %77
        %79: i64 = select %78, %72, %69
        %80: i64 = min %73, %79
        continue[0] %80
      }
      store_raw %16, %71, %43 !w m3
      continue[0]
    }
    yield
  }
  return %16
}

func @given loop fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1) -> (array<i64, 1>, array<f64, 2>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[1] %1
  %6: bool = eq %4, %3
  check[ValueError, "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {0} is different from {1})"] %6, %4, %3
  %7: array<f64, 2> in m2 = empty %2, %5
  %8: i64 = const 1
  %9: i64 = mul %2, %3
  %10: i64 = mul %9, %5
  matmul %0, %1, %7 !r m0|m1|m2 !w m2
  %11: i64 = const 0
  %12: bool = ne %5, %11
  check[ValueError, "attempt to get argmax of an empty sequence"] %12
  %13: array<i64, 1> in m3 = empty %2
  %14: i64 = const 40
  %15: bool = le %5, %14
  if %15 !r m2 !w m3 {
    for %11, %2, %8 !r m2 !w m3 {
    (%16: i64):
      %17: f64 = const -inf
      %18: bool = const false
      %19: f64, %20: i64, %21: bool = for %11, %5, %8, %17, %11, %18 !r m2 {
      (%22: i64, %23: f64, %24: i64, %25: bool):
        %26: f64 = load_raw %7, %16, %22 !r m2
        %27: bool = gt %26, %23
        %28: f64 = select %27, %26, %23
        %29: i64 = select %27, %22, %24
        %30: bool = isnan %26
        %31: bool = or %25, %30
        continue[0] %28, %29, %31
      }
      %32: i64 = if %21 !r m2 {
        %33: i64 = for %11, %5, %8, %11 !r m2 {
        (%34: i64, %35: i64):
          %36: f64 = load_raw %7, %16, %34 !r m2
          %37: bool = isnan %36
          if %37 {
            break[0] %34
          } else {
            yield
          }
          continue[0] %11
        }
        yield %33
      } else {
        yield %20
      }
      %38: f64 = const nan
      %39: f64 = select %21, %38, %19
      store_raw %13, %32, %16 !w m3
      continue[0]
    }
    yield
  } else {
    for %11, %2, %8 !r m2 !w m3 {
    (%40: i64):
      %41: i64 = const 256
      %42: f64 = const -inf
      %43: f64, %44: i64 = for %11, %5, %41, %42, %11 !r m2 {
      (%45: i64, %46: f64, %47: i64):
        %48: i64 = sub %5, %45
        %49: i64 = min %48, %41
        %50: i64 = add %45, %49
        %51: f64 = for %45, %50, %8, %42 !r m2 {
        (%52: i64, %53: f64):
          %54: f64 = load_raw %7, %40, %52 !r m2
          %55: f64 = max %53, %54
          continue[0] %55
        }
        %56: bool = gt %51, %46
        %57: bool = isnan %51
        %58: bool = isnan %46
        %59: bool = not %58
        %60: bool = or %56, %57
        %61: bool = and %60, %59
        %62: f64 = select %61, %51, %46
        %63: i64 = select %61, %45, %47
        continue[0] %62, %63
      }
      %64: i64 = sub %5, %44
      %65: i64 = min %64, %41
      %66: i64 = add %44, %65
      %67: bool = isnan %43
      %68: i64 = for %44, %66, %8, %66 !r m2 {
      (%69: i64, %70: i64):
        %71: f64 = load_raw %7, %40, %69 !r m2
        %72: bool = eq %71, %43
        %73: bool = isnan %71
        %74: bool = and %73, %67
        %75: bool = or %72, %74
        %76: i64 = select %75, %69, %66
        %77: i64 = min %70, %76
        continue[0] %77
      }
      store_raw %13, %68, %40 !w m3
      continue[0]
    }
    yield
  }
  return %13, %7
}
