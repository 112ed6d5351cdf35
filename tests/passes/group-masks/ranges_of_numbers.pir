; The elements of all ranges are found before the loop: where it is long enough, and no two of them meet.
; pass: group-masks
; count: call = 2
; count: if = 4
; run: @f([0.0, 2.5, 1.0, 7.25, -1.0, 2.75, 9.0, 20.0], 1.0, 10) = [1, 1, 2, 0, 0, 0, 0, 1, 0, 1]
; run: @f([0.0, 2.5, 1.0, 7.25, -1.0, 2.75, 9.0, 20.0], 1.0, 3) = [1, 1, 2]
; run: @f([0.0, 2.5, 1.0, 7.25, -1.0, 2.75, 9.0, 20.0], -1.0, 9) = [0, 0, 0, 0, 0, 0, 0, 0, 0]
; run: @f([], 1.0, 9) = [0, 0, 0, 0, 0, 0, 0, 0, 0]
; run: @f([0.0, 2.5, 1.0, 7.25, -1.0, 2.75, 9.0, 20.0], 1.0, 0) = []
func @f array fast (%x: array<f64, 1>, %width: f64, %count: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %out: array<i64, 1> = zeros %count
  for %zero, %count, %one {
  (%k: i64):
    %a: f64 = cast %k
    %low: f64 = mul %a, %width
    %next: i64 = add %k, %one
    %b: f64 = cast %next
    %high: f64 = mul %b, %width
    %above: array<bool, 1> = ge %x, %low
    %below: array<bool, 1> = lt %x, %high
    %mask: array<bool, 1> = and %above, %below
    %at: array<i64, 1> = call[@places] %mask
    %n: i64 = dim[0] %at
    store %out, %n, %k
    continue[0]
  }
  return %out
}
func @places array operation "flatnonzero" (%mask: array<bool, 1>) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %mask
  %numbers: array<i64, 1> = cast %mask
  %m: i64 = reduce[sum] %numbers
  %at: array<i64, 1> = empty %m
  %end: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %k: i64):
    %is: bool = load %mask, %i
    %next: i64 = if %is {
      store %at, %i, %k
      %more: i64 = add %k, %one
      yield %more
    } else {
      yield %k
    }
    continue[0] %next
  }
  return %at
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
func @f array fast (%0: array<f64, 1> in m0, %1: f64, %2: i64) -> (array<i64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: array<i64, 1> in m1 = zeros %2
  %6: i64 = max %2, %3
  %7: i64 = sub %6, %3
  %8: i64 = const 4
  %9: bool = ge %7, %8
  %10: array<i64, 1> in m4|m6, %11: array<i64, 1> in m5|m7, %12: bool = if %9 !r m0|m2|m3 !w m2|m3 {
    %13: i64 = dim[0] %0
    %14: i64 = const 2
    %15: i64 = const 1024
    %16: i64 = shr %13, %14
    %17: i64 = add %16, %15
    %18: bool = le %7, %17
    %19: i64 = const 0
    %20: i64 = select %18, %7, %19
    %21: array<f64, 1> in m2 = empty %20
    %22: array<f64, 1> in m3 = empty %20
    %23: i64 = const 0
    %24: i64 = const 1
    %25: bool = const true
    %26: bool = for %23, %20, %24, %25 !w m2|m3 {
    (%27: i64, %28: bool):
      %29: i64 = add %3, %27
      %30: f64 = cast %29
      %31: f64 = mul %30, %1
      %32: i64 = add %29, %4
      %33: f64 = cast %32
      %34: f64 = mul %33, %1
      store %21, %31, %27 !w m2
      store %22, %34, %27 !w m3
      continue[0] %28
    }
    %35: bool = const true
    %36: bool = const false
    %37: array<i64, 1> in m4, %38: array<i64, 1> in m5, %39: bool = call[@range_groups] %0, %21, %22, %35, %36, %26 !r m0|m2|m3
    yield %37, %38, %39
  } else {
    %40: i64 = const 0
    %41: array<i64, 1> in m6 = empty %40
    %42: array<i64, 1> in m7 = empty %40
    %43: bool = const false
    yield %41, %42, %43
  }
  if %12 !r m0|m5|m7|m10|m11|m12 !w m1 {
    for %3, %2, %4 !r m0|m5|m7 !w m1 {
    (%44: i64):
      %45: f64 = cast %44
      %46: f64 = mul %45, %1
      %47: i64 = add %44, %4
      %48: f64 = cast %47
      %49: f64 = mul %48, %1
      %50: array<bool, 1> in m8 = ge %0, %46 !r m0
      %51: array<bool, 1> in m9 = lt %0, %49 !r m0
      %52: i64 = sub %44, %3
      %53: i64 = const 1
      %54: i64 = add %52, %53
      %55: i64 = load %11, %52 !r m5|m7
      %56: i64 = load %11, %54 !r m5|m7
      %57: array<i64, 1> in m4|m6 = view[start:stop] %10, %55, %56
      %58: i64 = sub %56, %55
      %59: i64 = dim[0] %57
      store %5, %59, %44 !w m1
      continue[0]
    }
    yield
  } else {
    for %3, %2, %4 !r m0|m10|m11|m12 !w m1 {
    (%60: i64):
      %61: f64 = cast %60
      %62: f64 = mul %61, %1
      %63: i64 = add %60, %4
      %64: f64 = cast %63
      %65: f64 = mul %64, %1
      %66: array<bool, 1> in m10 = ge %0, %62 !r m0
      %67: array<bool, 1> in m11 = lt %0, %65 !r m0
      %68: array<bool, 1> in m12 = and %66, %67 !r m10|m11
      %69: array<i64, 1> in m13 = call[@places] %68 !r m12
      %70: i64 = dim[0] %69
      store %5, %70, %60 !w m1
      continue[0]
    }
    yield
  }
  return %5
}

func @places array operation "flatnonzero" (%0: array<bool, 1> in m0) -> (array<i64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: array<i64, 1> in m1 = cast %0 !r m0
  %5: i64 = reduce[sum] %4 !r m1
  %6: array<i64, 1> in m2 = empty %5
  %7: i64 = for %1, %3, %2, %1 !r m0 !w m2 {
  (%8: i64, %9: i64):
    %10: bool = load %0, %8 !r m0
    %11: i64 = if %10 !w m2 {
      store %6, %8, %9 !w m2
      %12: i64 = add %9, %2
      yield %12
    } else {
      yield %9
    }
    continue[0] %11
  }
  return %6
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
