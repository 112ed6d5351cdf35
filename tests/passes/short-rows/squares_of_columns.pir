; Sixteen rows are one, if there are few columns and many rows.
; pass: short-rows
; count: for = 7
; run: @f([[1.0, 2.0], [3.0, 4.0], [0.5, 0.0]]) = [10.25, 20.0]
func @f loop fast (%0: array<f64, 2>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: array<f64, 1> = zeros %2
  %4: i64 = const 0
  %5: i64 = const 1
  for %4, %1, %5 {
  (%6: i64):
    for %4, %2, %5 {
    (%7: i64):
      %8: f64 = load_raw %0, %6, %7
      %9: f64 = mul %8, %8
      %10: f64 = load_raw %3, %7
      %11: f64 = add %10, %9
      store_raw %3, %11, %7
      continue[0]
    }
    continue[0]
  }
  return %3
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: array<f64, 1> in m1 = zeros %2
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = const 16
  %7: i64 = const 256
  %8: bool = le %2, %6
  %9: bool = le %7, %1
  %10: bool = and %8, %9
  %11: i64 = const 8
  %12: i64 = mul %2, %11
  %13: i64 = stride[0] %0
  %14: bool = eq %13, %12
  %15: i64 = stride[1] %0
  %16: bool = eq %15, %11
  %17: bool = and %14, %16
  %18: bool = and %10, %17
  %19: i64 = if %18 !r m0|m1|m2 !w m1|m2 {
    %20: i64 = const 0
    %21: i64 = const 1
    %22: i64 = const 16
    %23: i64 = mul %2, %22
    %24: bool = lt %20, %1
    %25: i64 = sub %1, %20
    %26: i64 = const 0
    %27: i64 = select %24, %25, %26
    %28: i64 = max %27, %26
    %29: i64 = const -16
    %30: i64 = and %28, %29
    %31: array<f64, 1> in m2 = empty %23
    %32: i64 = const 0
    %33: i64 = const 8
    %34: i64 = dim[0] %0
    %35: i64 = mul %34, %2
    %36: array<f64, 1> in m0 = raw_view %0, %32, %35, %33
    for %20, %22, %21 !w m2 {
    (%37: i64):
      %38: i64 = mul %37, %2
      for %20, %2, %21 !w m2 {
      (%39: i64):
        %40: i64 = add %38, %39
        %41: f64 = const -0.0
        store_raw %31, %41, %40 !w m2
        continue[0]
      }
      continue[0]
    }
    for %20, %30, %22 !r m0|m2 !w m2 {
    (%42: i64):
      %43: i64 = mul %42, %2
      for %20, %23, %21 !r m0|m2 !w m2 {
      (%44: i64):
        %45: i64 = add %43, %44
        %46: f64 = load_raw %36, %45 !r m0
        %47: f64 = mul %46, %46
        %48: f64 = load_raw %31, %44 !r m2
        %49: f64 = add %48, %47
        store_raw %31, %49, %44 !w m2
        continue[0]
      }
      continue[0]
    }
    for %20, %2, %21 !r m1|m2 !w m1 {
    (%50: i64):
      %51: f64 = load_raw %3, %50 !r m1
      %52: i64 = const 0
      %53: i64 = mul %52, %2
      %54: i64 = add %53, %50
      %55: f64 = load_raw %31, %54 !r m2
      %56: f64 = add %51, %55
      %57: i64 = const 1
      %58: i64 = mul %57, %2
      %59: i64 = add %58, %50
      %60: f64 = load_raw %31, %59 !r m2
      %61: f64 = add %56, %60
      %62: i64 = const 2
      %63: i64 = mul %62, %2
      %64: i64 = add %63, %50
      %65: f64 = load_raw %31, %64 !r m2
      %66: f64 = add %61, %65
      %67: i64 = const 3
      %68: i64 = mul %67, %2
      %69: i64 = add %68, %50
      %70: f64 = load_raw %31, %69 !r m2
      %71: f64 = add %66, %70
      %72: i64 = const 4
      %73: i64 = mul %72, %2
      %74: i64 = add %73, %50
      %75: f64 = load_raw %31, %74 !r m2
      %76: f64 = add %71, %75
      %77: i64 = const 5
      %78: i64 = mul %77, %2
      %79: i64 = add %78, %50
      %80: f64 = load_raw %31, %79 !r m2
      %81: f64 = add %76, %80
      %82: i64 = const 6
      %83: i64 = mul %82, %2
      %84: i64 = add %83, %50
      %85: f64 = load_raw %31, %84 !r m2
      %86: f64 = add %81, %85
      %87: i64 = const 7
      %88: i64 = mul %87, %2
      %89: i64 = add %88, %50
      %90: f64 = load_raw %31, %89 !r m2
      %91: f64 = add %86, %90
      %92: i64 = const 8
      %93: i64 = mul %92, %2
      %94: i64 = add %93, %50
      %95: f64 = load_raw %31, %94 !r m2
      %96: f64 = add %91, %95
      %97: i64 = const 9
      %98: i64 = mul %97, %2
      %99: i64 = add %98, %50
      %100: f64 = load_raw %31, %99 !r m2
      %101: f64 = add %96, %100
      %102: i64 = const 10
      %103: i64 = mul %102, %2
      %104: i64 = add %103, %50
      %105: f64 = load_raw %31, %104 !r m2
      %106: f64 = add %101, %105
      %107: i64 = const 11
      %108: i64 = mul %107, %2
      %109: i64 = add %108, %50
      %110: f64 = load_raw %31, %109 !r m2
      %111: f64 = add %106, %110
      %112: i64 = const 12
      %113: i64 = mul %112, %2
      %114: i64 = add %113, %50
      %115: f64 = load_raw %31, %114 !r m2
      %116: f64 = add %111, %115
      %117: i64 = const 13
      %118: i64 = mul %117, %2
      %119: i64 = add %118, %50
      %120: f64 = load_raw %31, %119 !r m2
      %121: f64 = add %116, %120
      %122: i64 = const 14
      %123: i64 = mul %122, %2
      %124: i64 = add %123, %50
      %125: f64 = load_raw %31, %124 !r m2
      %126: f64 = add %121, %125
      %127: i64 = const 15
      %128: i64 = mul %127, %2
      %129: i64 = add %128, %50
      %130: f64 = load_raw %31, %129 !r m2
      %131: f64 = add %126, %130
      store_raw %3, %131, %50 !w m1
      continue[0]
    }
    yield %30
  } else {
    %132: i64 = const 0
    yield %132
  }
  for %19, %1, %5 !r m0|m1 !w m1 {
  (%133: i64):
    for %4, %2, %5 !r m0|m1 !w m1 {
    (%134: i64):
      %135: f64 = load_raw %0, %133, %134 !r m0
      %136: f64 = mul %135, %135
      %137: f64 = load_raw %3, %134 !r m1
      %138: f64 = add %137, %136
      store_raw %3, %138, %134 !w m1
      continue[0]
    }
    continue[0]
  }
  return %3
}
