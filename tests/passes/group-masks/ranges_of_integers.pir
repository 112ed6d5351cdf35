; Of integers that the loop widens.
; pass: group-masks
; count: call = 2
; run: @f([0, 5, 10, 11, -4, 95, 120], 10, 10) = [2, 2, 0, 0, 0, 0, 0, 0, 0, 1]
func @f array fast (%x: array<i32, 1>, %width: i64, %count: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %out: array<i64, 1> = zeros %count
  for %zero, %count, %one {
  (%k: i64):
    %low: i64 = mul %k, %width
    %high: i64 = add %low, %width
    %wide: array<i64, 1> = cast %x
    %above: array<bool, 1> = ge %wide, %low
    %below: array<bool, 1> = lt %wide, %high
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
func @range_groups array operation "range_groups" (%x: array<i64, 1>, %lows: array<i64, 1>, %highs: array<i64, 1>, %from_low: bool, %to_high: bool, %wanted: bool) -> (array<i64, 1>, array<i64, 1>, bool) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %x
  %m: i64 = dim[0] %lows
  %length: i64 = add %m, %one
  %order: array<i64, 1> = empty %n
  %starts: array<i64, 1> = zeros %length
  %end: i64 = for %zero, %m, %one, %zero {
  (%k: i64, %from: i64):
    %low: i64 = load %lows, %k
    %high: i64 = load %highs, %k
    %to: i64 = for %zero, %n, %one, %from {
    (%i: i64, %at: i64):
      %v: i64 = load %x, %i
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
func @f array fast (%0: array<i32, 1> in m0, %1: i64, %2: i64) -> (array<i64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: array<i64, 1> in m1 = zeros %2
  %6: i64 = max %2, %3
  %7: i64 = sub %6, %3
  %8: i64 = const 4
  %9: bool = ge %7, %8
  %10: array<i64, 1> in m5|m7, %11: array<i64, 1> in m6|m8, %12: bool = if %9 !r m0|m2|m3|m4 !w m3|m4 {
    %13: array<i64, 1> in m2 = cast %0 !r m0
    %14: i64 = dim[0] %13
    %15: i64 = const 2
    %16: i64 = const 1024
    %17: i64 = shr %14, %15
    %18: i64 = add %17, %16
    %19: bool = le %7, %18
    %20: i64 = const 0
    %21: i64 = select %19, %7, %20
    %22: array<i64, 1> in m3 = empty %21
    %23: array<i64, 1> in m4 = empty %21
    %24: i64 = const 0
    %25: i64 = const 1
    %26: bool = const true
    %27: bool = for %24, %21, %25, %26 !w m3|m4 {
    (%28: i64, %29: bool):
      %30: i64 = add %3, %28
      %31: i64 = mul %30, %1
      %32: i64 = add %31, %1
      store %22, %31, %28 !w m3
      store %23, %32, %28 !w m4
      continue[0] %29
    }
    %33: bool = const true
    %34: bool = const false
    %35: array<i64, 1> in m5, %36: array<i64, 1> in m6, %37: bool = call[@range_groups] %13, %22, %23, %33, %34, %27 !r m2|m3|m4
    yield %35, %36, %37
  } else {
    %38: i64 = const 0
    %39: array<i64, 1> in m7 = empty %38
    %40: array<i64, 1> in m8 = empty %38
    %41: bool = const false
    yield %39, %40, %41
  }
  if %12 !r m0|m6|m8|m9|m12|m13|m14|m15 !w m1 {
    for %3, %2, %4 !r m0|m6|m8|m9 !w m1 {
    (%42: i64):
      %43: i64 = mul %42, %1
      %44: i64 = add %43, %1
      %45: array<i64, 1> in m9 = cast %0 !r m0
      %46: array<bool, 1> in m10 = ge %45, %43 !r m9
      %47: array<bool, 1> in m11 = lt %45, %44 !r m9
      %48: i64 = sub %42, %3
      %49: i64 = const 1
      %50: i64 = add %48, %49
      %51: i64 = load %11, %48 !r m6|m8
      %52: i64 = load %11, %50 !r m6|m8
      %53: array<i64, 1> in m5|m7 = view[start:stop] %10, %51, %52
      %54: i64 = sub %52, %51
      %55: i64 = dim[0] %53
      store %5, %55, %42 !w m1
      continue[0]
    }
    yield
  } else {
    for %3, %2, %4 !r m0|m12|m13|m14|m15 !w m1 {
    (%56: i64):
      %57: i64 = mul %56, %1
      %58: i64 = add %57, %1
      %59: array<i64, 1> in m12 = cast %0 !r m0
      %60: array<bool, 1> in m13 = ge %59, %57 !r m12
      %61: array<bool, 1> in m14 = lt %59, %58 !r m12
      %62: array<bool, 1> in m15 = and %60, %61 !r m13|m14
      %63: array<i64, 1> in m16 = call[@places] %62 !r m15
      %64: i64 = dim[0] %63
      store %5, %64, %56 !w m1
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

func @range_groups array operation "range_groups" (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0, %2: array<i64, 1> in m0, %3: bool, %4: bool, %5: bool) -> (array<i64, 1>, array<i64, 1>, bool) {
  %6: i64 = const 0
  %7: i64 = const 1
  %8: i64 = dim[0] %0
  %9: i64 = dim[0] %1
  %10: i64 = add %9, %7
  %11: array<i64, 1> in m1 = empty %8
  %12: array<i64, 1> in m2 = zeros %10
  %13: i64 = for %6, %9, %7, %6 !r m0 !w m1|m2 {
  (%14: i64, %15: i64):
    %16: i64 = load %1, %14 !r m0
    %17: i64 = load %2, %14 !r m0
    %18: i64 = for %6, %8, %7, %15 !r m0 !w m1 {
    (%19: i64, %20: i64):
      %21: i64 = load %0, %19 !r m0
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
