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
      store_raw %16, %35, %19 !w m3
      continue[0]
    }
    yield
  } else {
    for %6, %2, %10 !r m2 !w m3 {
    (%41: i64):
      %42: i64 = const 256
      %43: f64 = const -inf
      %44: f64, %45: i64 = for %6, %5, %42, %43, %6 !r m2 {
      (%46: i64, %47: f64, %48: i64):
        %49: i64 = sub %5, %46
        %50: i64 = min %49, %42
        %51: i64 = add %46, %50
        %52: f64 = for %46, %51, %10, %43 !r m2 {
        (%53: i64, %54: f64):
          %55: f64 = load_raw %9, %41, %53 !r m2
          %56: f64 = max %54, %55
          continue[0] %56
        }
        %57: bool = gt %52, %47
        %58: bool = isnan %52
        %59: bool = isnan %47
        %60: bool = not %59
        %61: bool = or %57, %58
        %62: bool = and %61, %60
        %63: f64 = select %62, %52, %47
        %64: i64 = select %62, %46, %48
        continue[0] %63, %64
      }
      %65: i64 = sub %5, %45
      %66: i64 = min %65, %42
      %67: i64 = add %45, %66
      %68: bool = isnan %44
      %69: i64 = for %45, %67, %10, %67 !r m2 {
      (%70: i64, %71: i64):
        %72: f64 = load_raw %9, %41, %70 !r m2
        %73: bool = eq %72, %44
        %74: bool = isnan %72
        %75: bool = and %74, %68
        %76: bool = or %73, %75
        %77: i64 = select %76, %70, %67
        %78: i64 = min %71, %77
        continue[0] %78
      }
      store_raw %16, %69, %41 !w m3
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
      store_raw %13, %32, %16 !w m3
      continue[0]
    }
    yield
  } else {
    for %11, %2, %8 !r m2 !w m3 {
    (%38: i64):
      %39: i64 = const 256
      %40: f64 = const -inf
      %41: f64, %42: i64 = for %11, %5, %39, %40, %11 !r m2 {
      (%43: i64, %44: f64, %45: i64):
        %46: i64 = sub %5, %43
        %47: i64 = min %46, %39
        %48: i64 = add %43, %47
        %49: f64 = for %43, %48, %8, %40 !r m2 {
        (%50: i64, %51: f64):
          %52: f64 = load_raw %7, %38, %50 !r m2
          %53: f64 = max %51, %52
          continue[0] %53
        }
        %54: bool = gt %49, %44
        %55: bool = isnan %49
        %56: bool = isnan %44
        %57: bool = not %56
        %58: bool = or %54, %55
        %59: bool = and %58, %57
        %60: f64 = select %59, %49, %44
        %61: i64 = select %59, %43, %45
        continue[0] %60, %61
      }
      %62: i64 = sub %5, %42
      %63: i64 = min %62, %39
      %64: i64 = add %42, %63
      %65: bool = isnan %41
      %66: i64 = for %42, %64, %8, %64 !r m2 {
      (%67: i64, %68: i64):
        %69: f64 = load_raw %7, %38, %67 !r m2
        %70: bool = eq %69, %41
        %71: bool = isnan %69
        %72: bool = and %71, %65
        %73: bool = or %70, %72
        %74: i64 = select %73, %67, %64
        %75: i64 = min %68, %74
        continue[0] %75
      }
      store_raw %13, %66, %38 !w m3
      continue[0]
    }
    yield
  }
  return %13, %7
}
