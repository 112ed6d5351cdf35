; The first loop writes each element of its array, the second one likewise and reads it, the third one only some, the fourth one after the end of some iterations, and the fifth one two.
; pass: outline, device-loops, coherence
; count: launch = 5
; run: @f([1.0, 2.0]) = [9.0, 9.0]
func @f loop device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 9.0
  %4: i64 = dim[0] %0
  pfor[| sliced write [i]] %1, %4, %2, %0 !w m0 {
  (%5: i64):
    store_raw %0, %3, %5 !w m0
    continue[0]
  }
  pfor[| sliced write [i]] %1, %4, %2, %0 !r m0 !w m0 {
  (%6: i64):
    %7: f64 = load_raw %0, %6 !r m0
    %8: f64 = add %7, %7
    store_raw %0, %8, %6 !w m0
    continue[0]
  }
  pfor[| sliced write [i]] %1, %4, %2, %0 !w m0 {
  (%9: i64):
    %10: bool = lt %9, %2
    if %10 !w m0 {
      store_raw %0, %3, %9 !w m0
      yield
    } else {
      yield
    }
    continue[0]
  }
  pfor[| sliced write [i]] %1, %4, %2, %0 !w m0 {
  (%11: i64):
    %12: bool = lt %11, %1
    if %12 {
      continue[0]
    } else {
      yield
    }
    store_raw %0, %3, %11 !w m0
    continue[0]
  }
  pfor[| sliced write [:]] %1, %2, %2, %0 !w m0 {
  (%13: i64):
    store_raw %0, %3, %1 !w m0
    %14: i64 = sub %4, %2
    store_raw %0, %3, %14 !w m0
    continue[0]
  }
  return %0
}

func @f.general loop general (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  return %0
}

export "f"("a": written array<f64, 1>) -> array<f64, 1> = @f if contiguous device, @f.general
; ---- after
export "f"("a": written array<f64, 1>) -> array<f64, 1> = @f if contiguous device, @f.general

func @f loop device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 9.0
  %4: i64 = dim[0] %0
  %5: i64 = const 2
  %6: bool = const true
  %7: bool = const false
  %8: i64 = const 8
  %9: bool = const true
  %10: i64 = const 1
  %11: i64 = dim[0] %0
  %12: i64 = stride[0] %0
  %13: i64 = abs %12
  %14: bool = ge %13, %8
  %15: bool = le %11, %10
  %16: bool = or %14, %15
  %17: bool = and %9, %16
  %18: i64 = sub %11, %10
  %19: i64 = mul %18, %13
  %20: i64 = add %8, %19
  %21: i64 = select %15, %8, %20
  %22: bool = or %7, %17
  %23: i64 = const 8
  %24: bool = const true
  %25: i64 = const 1
  %26: i64 = dim[0] %0
  %27: i64 = stride[0] %0
  %28: i64 = abs %27
  %29: bool = ge %28, %23
  %30: bool = le %26, %25
  %31: bool = or %29, %30
  %32: bool = and %24, %31
  %33: i64 = sub %26, %25
  %34: i64 = mul %33, %28
  %35: i64 = add %23, %34
  %36: i64 = select %30, %23, %35
  %37: bool = or %22, %32
  %38: bool = and %6, %37
  launch[@f.region0] %1, %4, %2, %5, %38, %0 !w m0
  %39: i64 = const 4
  %40: bool = const true
  %41: bool = const false
  %42: i64 = const 8
  %43: bool = const true
  %44: i64 = const 1
  %45: i64 = dim[0] %0
  %46: i64 = stride[0] %0
  %47: i64 = abs %46
  %48: bool = ge %47, %42
  %49: bool = le %45, %44
  %50: bool = or %48, %49
  %51: bool = and %43, %50
  %52: i64 = sub %45, %44
  %53: i64 = mul %52, %47
  %54: i64 = add %42, %53
  %55: i64 = select %49, %42, %54
  %56: bool = or %41, %51
  %57: i64 = const 8
  %58: bool = const true
  %59: i64 = const 1
  %60: i64 = dim[0] %0
  %61: i64 = stride[0] %0
  %62: i64 = abs %61
  %63: bool = ge %62, %57
  %64: bool = le %60, %59
  %65: bool = or %63, %64
  %66: bool = and %58, %65
  %67: i64 = sub %60, %59
  %68: i64 = mul %67, %62
  %69: i64 = add %57, %68
  %70: i64 = select %64, %57, %69
  %71: bool = or %56, %66
  %72: bool = and %40, %71
  launch[@f.region1] %1, %4, %2, %39, %72, %0 !r m0 !w m0
  %73: i64 = const 5
  %74: bool = const true
  %75: bool = const false
  %76: i64 = const 8
  %77: bool = const true
  %78: i64 = const 1
  %79: i64 = dim[0] %0
  %80: i64 = stride[0] %0
  %81: i64 = abs %80
  %82: bool = ge %81, %76
  %83: bool = le %79, %78
  %84: bool = or %82, %83
  %85: bool = and %77, %84
  %86: i64 = sub %79, %78
  %87: i64 = mul %86, %81
  %88: i64 = add %76, %87
  %89: i64 = select %83, %76, %88
  %90: bool = or %75, %85
  %91: i64 = const 8
  %92: bool = const true
  %93: i64 = const 1
  %94: i64 = dim[0] %0
  %95: i64 = stride[0] %0
  %96: i64 = abs %95
  %97: bool = ge %96, %91
  %98: bool = le %94, %93
  %99: bool = or %97, %98
  %100: bool = and %92, %99
  %101: i64 = sub %94, %93
  %102: i64 = mul %101, %96
  %103: i64 = add %91, %102
  %104: i64 = select %98, %91, %103
  %105: bool = or %90, %100
  %106: bool = and %74, %105
  launch[@f.region2] %1, %4, %2, %73, %106, %0 !w m0
  %107: i64 = const 5
  %108: bool = const true
  %109: bool = const false
  %110: i64 = const 8
  %111: bool = const true
  %112: i64 = const 1
  %113: i64 = dim[0] %0
  %114: i64 = stride[0] %0
  %115: i64 = abs %114
  %116: bool = ge %115, %110
  %117: bool = le %113, %112
  %118: bool = or %116, %117
  %119: bool = and %111, %118
  %120: i64 = sub %113, %112
  %121: i64 = mul %120, %115
  %122: i64 = add %110, %121
  %123: i64 = select %117, %110, %122
  %124: bool = or %109, %119
  %125: i64 = const 8
  %126: bool = const true
  %127: i64 = const 1
  %128: i64 = dim[0] %0
  %129: i64 = stride[0] %0
  %130: i64 = abs %129
  %131: bool = ge %130, %125
  %132: bool = le %128, %127
  %133: bool = or %131, %132
  %134: bool = and %126, %133
  %135: i64 = sub %128, %127
  %136: i64 = mul %135, %130
  %137: i64 = add %125, %136
  %138: i64 = select %132, %125, %137
  %139: bool = or %124, %134
  %140: bool = and %108, %139
  launch[@f.region3] %1, %4, %2, %107, %140, %0 !w m0
  %141: i64 = const 4
  %142: bool = const true
  %143: bool = const false
  %144: i64 = const 8
  %145: bool = const true
  %146: i64 = const 1
  %147: i64 = dim[0] %0
  %148: i64 = stride[0] %0
  %149: i64 = abs %148
  %150: bool = ge %149, %144
  %151: bool = le %147, %146
  %152: bool = or %150, %151
  %153: bool = and %145, %152
  %154: i64 = sub %147, %146
  %155: i64 = mul %154, %149
  %156: i64 = add %144, %155
  %157: i64 = select %151, %144, %156
  %158: bool = or %143, %153
  %159: i64 = const 8
  %160: bool = const true
  %161: i64 = const 1
  %162: i64 = dim[0] %0
  %163: i64 = stride[0] %0
  %164: i64 = abs %163
  %165: bool = ge %164, %159
  %166: bool = le %162, %161
  %167: bool = or %165, %166
  %168: bool = and %160, %167
  %169: i64 = sub %162, %161
  %170: i64 = mul %169, %164
  %171: i64 = add %159, %170
  %172: i64 = select %166, %159, %171
  %173: bool = or %158, %168
  %174: bool = and %142, %173
  launch[@f.region4] %1, %2, %2, %141, %174, %0 !w m0
  return %0
}

func @f.general loop general (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  return %0
}

func @f.region4 loop device region[| m0 written_later sliced write [:]] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0) -> () {
  %5: f64 = const 9.0
  %6: i64 = const 0
  %7: i64 = dim[0] %4
  %8: i64 = const 1
  %9: i64 = const 1
  %10: i64 = const 1
  %11: i64 = const 0
  %12: i64 = add %11, %0
  %13: i64 = add %11, %1
  for %12, %13, %9 !w m0 {
  (%14: i64):
    store_raw %4, %5, %6 !w m0
    %15: i64 = sub %7, %8
    store_raw %4, %5, %15 !w m0
    continue[0]
  }
  return
}

func @f.region3 loop device region[| m0 written_later sliced write [i]] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0) -> () {
  %5: i64 = const 0
  %6: f64 = const 9.0
  %7: i64 = const 1
  %8: i64 = const 1
  %9: i64 = const 0
  %10: i64 = add %9, %0
  %11: i64 = add %9, %1
  for %10, %11, %7 !w m0 {
  (%12: i64):
    %13: bool = lt %12, %5
    if %13 {
      continue[0]
    } else {
      yield
    }
    store_raw %4, %6, %12 !w m0
    continue[0]
  }
  return
}

func @f.region2 loop device region[| m0 written_later sliced write [i]] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0) -> () {
  %5: i64 = const 1
  %6: f64 = const 9.0
  %7: i64 = const 1
  %8: i64 = const 1
  %9: i64 = const 0
  %10: i64 = add %9, %0
  %11: i64 = add %9, %1
  for %10, %11, %7 !w m0 {
  (%12: i64):
    %13: bool = lt %12, %5
    if %13 !w m0 {
      store_raw %4, %6, %12 !w m0
      yield
    } else {
      yield
    }
    continue[0]
  }
  return
}

func @f.region1 loop device region[| m0 written_later covers sliced write [i]] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0) -> () {
  %5: i64 = const 1
  %6: i64 = const 1
  %7: i64 = const 0
  %8: i64 = add %7, %0
  %9: i64 = add %7, %1
  for %8, %9, %5 !r m0 !w m0 {
  (%10: i64):
    %11: f64 = load_raw %4, %10 !r m0
    %12: f64 = add %11, %11
    store_raw %4, %12, %10 !w m0
    continue[0]
  }
  return
}

func @f.region0 loop device region[| m0 written_later fills sliced write [i]] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0) -> () {
  %5: f64 = const 9.0
  %6: i64 = const 1
  %7: i64 = const 1
  %8: i64 = const 0
  %9: i64 = add %8, %0
  %10: i64 = add %8, %1
  for %9, %10, %6 !w m0 {
  (%11: i64):
    store_raw %4, %5, %11 !w m0
    continue[0]
  }
  return
}
