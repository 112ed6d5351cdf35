; Arrays of other lengths than the columns have checks in them: an error would come out of order.
; pass: wavefront
; count: for = 6
func @f loop fast (%0: array<f64, 1>, %1: array<f64, 1>, %2: array<f64, 1>) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[0] %2
  %6: array<f64, 1> = empty %5
  %7: i64 = const 0
  %8: i64 = const 1
  for %7, %5, %8 {
  (%9: i64):
    %10: f64 = load_raw %2, %9
    store_raw %6, %10, %9
    continue[0]
  }
  %11: i64 = const -9223372036854775808
  %12: bool = le %3, %4
  %13: bool = le %4, %5
  %14: bool = and %12, %13
  if %14 {
    for %7, %3, %8 {
    (%15: i64):
      %16: f64 = load_raw %1, %15
      %17: i64 = cast %16
      %18: bool = eq %17, %11
      if %18 {
        %19: bool = eq %16, %16
        check[ValueError, "cannot convert float NaN to integer"] %19
        %20: f64 = abs %16
        %21: f64 = const inf
        %22: bool = lt %20, %21
        check[OverflowError, "cannot convert float infinity to integer"] %22
        %23: f64 = const -9.223372036854776e18
        %24: bool = eq %16, %23
        check[OverflowError, "Python int too large to convert to C long"] %24
        yield
      } else {
        yield
      }
      %25: bool = lt %8, %17
      if %25 {
        %26: f64 = load_raw %0, %15
        %27: bool = le %17, %4
        if %27 {
          for %8, %17, %8 {
          (%28: i64):
            %29: f64 = load_raw %1, %28
            %30: f64 = sub %26, %29
            %31: f64 = load_raw %6, %28
            %32: i64 = sub %28, %8
            %33: f64 = load_raw %6, %32
            %34: f64 = min %33, %31
            %35: f64 = add %30, %34
            store_raw %6, %35, %28
            continue[0]
          }
          yield
        } else {
          for %8, %17, %8 {
          (%36: i64):
            %37: bool = lt %36, %4
            check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %37, %36, %4
            %38: f64 = load_raw %1, %36
            %39: f64 = sub %26, %38
            %40: f64 = load_raw %6, %36
            %41: i64 = sub %36, %8
            %42: f64 = load_raw %6, %41
            %43: f64 = min %42, %40
            %44: f64 = add %39, %43
            store_raw %6, %44, %36
            continue[0]
          }
          yield
        }
        yield
      } else {
        yield
      }
      continue[0]
    }
    yield
  } else {
    for %7, %3, %8 {
    (%45: i64):
      %46: bool = lt %45, %4
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %46, %45, %4
      %47: f64 = load_raw %1, %45
      %48: i64 = cast %47
      %49: bool = eq %48, %11
      if %49 {
        %50: bool = eq %47, %47
        check[ValueError, "cannot convert float NaN to integer"] %50
        %51: f64 = abs %47
        %52: f64 = const inf
        %53: bool = lt %51, %52
        check[OverflowError, "cannot convert float infinity to integer"] %53
        %54: f64 = const -9.223372036854776e18
        %55: bool = eq %47, %54
        check[OverflowError, "Python int too large to convert to C long"] %55
        yield
      } else {
        yield
      }
      %56: bool = lt %8, %48
      if %56 {
        %57: f64 = load_raw %0, %45
        for %8, %48, %8 {
        (%58: i64):
          %59: bool = lt %58, %4
          check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %59, %58, %4
          %60: f64 = load_raw %1, %58
          %61: f64 = sub %57, %60
          %62: bool = lt %58, %5
          check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %62, %58, %5
          %63: f64 = load_raw %6, %58
          %64: i64 = sub %58, %8
          %65: f64 = load_raw %6, %64
          %66: f64 = min %65, %63
          %67: f64 = add %61, %66
          store_raw %6, %67, %58
          continue[0]
        }
        yield
      } else {
        yield
      }
      continue[0]
    }
    yield
  }
  %68: bool = lt %7, %5
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %68, %7, %5
  %69: f64 = load_raw %6, %7
  return %69
}
