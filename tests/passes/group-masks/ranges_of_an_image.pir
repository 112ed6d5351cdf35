; Masks of two axes, by which elements are taken, and which are counted.
; pass: group-masks
; count: call = 2
; count: reduce = 4
; run: @f([[1.0, 2.0], [4.0, 8.0]], [[0.5, 1.5], [1.0, 20.5]], 22) = [1.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0]
; run: @f([[1.0, 2.0], [4.0, 8.0]], [[0.5, 1.5], [1.0, 20.5]], 2) = [1.0, 6.0]
func @f array fast (%image: array<f64, 2>, %radius: array<f64, 2>, %count: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %out: array<f64, 1> = zeros %count
  for %zero, %count, %one {
  (%k: i64):
    %low: f64 = cast %k
    %next: i64 = add %k, %one
    %high: f64 = cast %next
    %above: array<bool, 2> = ge %radius, %low
    %below: array<bool, 2> = lt %radius, %high
    %mask: array<bool, 2> = and %above, %below
    %any: bool = reduce[any] %mask
    if %any {
      %chosen: array<f64, 1> = call[@masked_elements] %image, %mask
      %sum: f64 = reduce[sum] %chosen
      store %out, %sum, %k
      yield
    } else {
      yield
    }
    continue[0]
  }
  return %out
}
func @masked_elements array operation "masked_elements" (%a: array<f64, 2>, %mask: array<bool, 2>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %flat: array<f64, 1> = reshape %a
  %chosen: array<bool, 1> = reshape %mask
  %n: i64 = dim[0] %flat
  %numbers: array<i64, 1> = cast %chosen
  %m: i64 = reduce[sum] %numbers
  %found: array<f64, 1> = empty %m
  %end: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %k: i64):
    %is: bool = load %chosen, %i
    %next: i64 = if %is {
      %x: f64 = load %flat, %i
      store %found, %x, %k
      %more: i64 = add %k, %one
      yield %more
    } else {
      yield %k
    }
    continue[0] %next
  }
  return %found
}
func @range_groups array operation "range_groups" (%x: array<f64, 1>, %lows: array<f64, 1>, %highs: array<f64, 1>, %from_low: bool, %to_high: bool, %wanted: bool) -> (array<i64, 1>, array<i64, 1>, bool) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %x
  %m: i64 = dim[0] %lows
  %length: i64 = add %m, %one
  %order: array<i64, 1> = empty %n
  %starts: array<i64, 1> = zeros %length
  %end: i64 = for %zero, %m, %one, %zero {
  (%k: i64, %from: i64):
    %low: f64 = load %lows, %k
    %high: f64 = load %highs, %k
    %to: i64 = for %zero, %n, %one, %from {
    (%i: i64, %at: i64):
      %v: f64 = load %x, %i
      %above: bool = gt %v, %low
      %is_low: bool = eq %v, %low
      %at_low: bool = and %is_low, %from_low
      %from_below: bool = or %above, %at_low
      %below: bool = lt %v, %high
      %is_high: bool = eq %v, %high
      %at_high: bool = and %is_high, %to_high
      %to_above: bool = or %below, %at_high
      %inside: bool = and %from_below, %to_above
      %has_room: bool = lt %at, %n
      %goes_in: bool = and %inside, %has_room
      if %goes_in {
        store %order, %i, %at
        yield
      } else {
        yield
      }
      %add: i64 = cast %inside
      %more: i64 = add %at, %add
      continue[0] %more
    }
    %next: i64 = add %k, %one
    store %starts, %to, %next
    continue[0] %to
  }
  %apart: bool = le %end, %n
  %made: bool = and %apart, %wanted
  return %order, %starts, %made
}
; ---- after
func @f array fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1, %2: i64) -> (array<f64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: array<f64, 1> in m2 = zeros %2
  %6: i64 = max %2, %3
  %7: i64 = sub %6, %3
  %8: i64 = const 14
  %9: bool = ge %7, %8
  %10: array<i64, 1> in m6|m8, %11: array<i64, 1> in m7|m9, %12: bool = if %9 !r m1|m3|m4|m5 !w m4|m5 {
    %13: array<f64, 1> in m1|m3 = reshape %1 !r m1
    %14: i64 = dim[0] %13
    %15: i64 = const 2
    %16: i64 = const 1024
    %17: i64 = shr %14, %15
    %18: i64 = add %17, %16
    %19: bool = le %7, %18
    %20: i64 = const 0
    %21: i64 = select %19, %7, %20
    %22: array<f64, 1> in m4 = empty %21
    %23: array<f64, 1> in m5 = empty %21
    %24: i64 = const 0
    %25: i64 = const 1
    %26: bool = const true
    %27: bool = for %24, %21, %25, %26 !w m4|m5 {
    (%28: i64, %29: bool):
      %30: i64 = add %3, %28
      %31: f64 = cast %30
      %32: i64 = add %30, %4
      %33: f64 = cast %32
      store %22, %31, %28 !w m4
      store %23, %33, %28 !w m5
      continue[0] %29
    }
    %34: bool = const true
    %35: bool = const false
    %36: array<i64, 1> in m6, %37: array<i64, 1> in m7, %38: bool = call[@range_groups] %13, %22, %23, %34, %35, %27 !r m1|m3|m4|m5
    yield %36, %37, %38
  } else {
    %39: i64 = const 0
    %40: array<i64, 1> in m8 = empty %39
    %41: array<i64, 1> in m9 = empty %39
    %42: bool = const false
    yield %40, %41, %42
  }
  if %12 !r m0|m1|m6|m7|m8|m9|m12|m13|m14|m15|m16|m17 !w m2|m13 {
    for %3, %2, %4 !r m0|m1|m6|m7|m8|m9|m12|m13 !w m2|m13 {
    (%43: i64):
      %44: f64 = cast %43
      %45: i64 = add %43, %4
      %46: f64 = cast %45
      %47: array<bool, 2> in m10 = ge %1, %44 !r m1
      %48: array<bool, 2> in m11 = lt %1, %46 !r m1
      %49: i64 = sub %43, %3
      %50: i64 = const 1
      %51: i64 = add %49, %50
      %52: i64 = load %11, %49 !r m7|m9
      %53: i64 = load %11, %51 !r m7|m9
      %54: array<i64, 1> in m6|m8 = view[start:stop] %10, %52, %53
      %55: i64 = sub %53, %52
      %56: i64 = const 0
      %57: bool = gt %55, %56
      if %57 !r m0|m6|m8|m12|m13 !w m2|m13 {
        %58: array<f64, 1> in m0|m12 = reshape %0 !r m0
        %59: i64 = dim[0] %58
        %60: i64 = dim[0] %1
        %61: i64 = dim[1] %1
        %62: i64 = mul %60, %61
        %63: bool = eq %59, %62
        check[IndexError, "boolean index did not match indexed array"] %63
        %64: array<f64, 1> in m13 = empty %55
        %65: i64 = const 0
        %66: i64 = const 1
        for %65, %55, %66 !r m0|m6|m8|m12 !w m13 {
        (%67: i64):
          %68: i64 = load %54, %67 !r m6|m8
          %69: f64 = load %58, %68 !r m0|m12
          store %64, %69, %67 !w m13
          continue[0]
        }
        %70: f64 = reduce[sum] %64 !r m13
        store %5, %70, %43 !w m2
        yield
      } else {
        yield
      }
      continue[0]
    }
    yield
  } else {
    for %3, %2, %4 !r m0|m1|m14|m15|m16|m17 !w m2 {
    (%71: i64):
      %72: f64 = cast %71
      %73: i64 = add %71, %4
      %74: f64 = cast %73
      %75: array<bool, 2> in m14 = ge %1, %72 !r m1
      %76: array<bool, 2> in m15 = lt %1, %74 !r m1
      %77: array<bool, 2> in m16 = and %75, %76 !r m14|m15
      %78: bool = reduce[any] %77 !r m16
      if %78 !r m0|m16|m17 !w m2 {
        %79: array<f64, 1> in m17 = call[@masked_elements] %0, %77 !r m0|m16
        %80: f64 = reduce[sum] %79 !r m17
        store %5, %80, %71 !w m2
        yield
      } else {
        yield
      }
      continue[0]
    }
    yield
  }
  return %5
}

func @masked_elements array operation "masked_elements" (%0: array<f64, 2> in m0, %1: array<bool, 2> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m0|m1 = reshape %0 !r m0
  %5: array<bool, 1> in m0|m2 = reshape %1 !r m0
  %6: i64 = dim[0] %4
  %7: array<i64, 1> in m3 = cast %5 !r m0|m2
  %8: i64 = reduce[sum] %7 !r m3
  %9: array<f64, 1> in m4 = empty %8
  %10: i64 = for %2, %6, %3, %2 !r m0|m1|m2 !w m4 {
  (%11: i64, %12: i64):
    %13: bool = load %5, %11 !r m0|m2
    %14: i64 = if %13 !r m0|m1 !w m4 {
      %15: f64 = load %4, %11 !r m0|m1
      store %9, %15, %12 !w m4
      %16: i64 = add %12, %3
      yield %16
    } else {
      yield %12
    }
    continue[0] %14
  }
  return %9
}

func @range_groups array operation "range_groups" (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: array<f64, 1> in m0, %3: bool, %4: bool, %5: bool) -> (array<i64, 1>, array<i64, 1>, bool) {
  %6: i64 = const 0
  %7: i64 = const 1
  %8: i64 = dim[0] %0
  %9: i64 = dim[0] %1
  %10: i64 = add %9, %7
  %11: array<i64, 1> in m1 = empty %8
  %12: array<i64, 1> in m2 = zeros %10
  %13: i64 = for %6, %9, %7, %6 !r m0 !w m1|m2 {
  (%14: i64, %15: i64):
    %16: f64 = load %1, %14 !r m0
    %17: f64 = load %2, %14 !r m0
    %18: i64 = for %6, %8, %7, %15 !r m0 !w m1 {
    (%19: i64, %20: i64):
      %21: f64 = load %0, %19 !r m0
      %22: bool = gt %21, %16
      %23: bool = eq %21, %16
      %24: bool = and %23, %3
      %25: bool = or %22, %24
      %26: bool = lt %21, %17
      %27: bool = eq %21, %17
      %28: bool = and %27, %4
      %29: bool = or %26, %28
      %30: bool = and %25, %29
      %31: bool = lt %20, %8
      %32: bool = and %30, %31
      if %32 !w m1 {
        store %11, %19, %20 !w m1
        yield
      } else {
        yield
      }
      %33: i64 = cast %30
      %34: i64 = add %20, %33
      continue[0] %34
    }
    %35: i64 = add %14, %7
    store %12, %18, %35 !w m2
    continue[0] %18
  }
  %36: bool = le %13, %8
  %37: bool = and %36, %5
  return %11, %12, %37
}
