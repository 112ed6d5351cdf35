; Edges that are not there are not asked for before the loop.
; pass: group-masks
; count: call = 2
; run: @f([0.0, 2.5, 1.0, 7.25, -1.0, 2.75, 9.0, 20.0], [0.0, 1.0, 2.0, 2.5, 2.75, 3.0, 4.0, 8.0, 10.0, 30.0], 9) = [1, 1, 0, 1, 1, 0, 1, 1, 1]
; run: @f([0.0, 2.5, 1.0, 7.25, -1.0, 2.75, 9.0, 20.0], [0.0, 1.0, 2.0, 2.5, 2.75, 3.0, 4.0, 8.0, 10.0, 30.0], 10) raises IndexError
; run: @f([0.0, 2.5, 1.0, 7.25, -1.0, 2.75, 9.0, 20.0], [30.0, 10.0, 8.0, 4.0, 3.0, 2.75, 2.5, 2.0, 1.0, 0.0], 9) = [0, 0, 0, 0, 0, 0, 0, 0, 0]
func @f array fast (%x: array<f64, 1>, %edges: array<f64, 1>, %count: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %out: array<i64, 1> = zeros %count
  for %zero, %count, %one {
  (%k: i64):
    %low: f64 = load %edges, %k
    %next: i64 = add %k, %one
    %high: f64 = load %edges, %next
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
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (array<i64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: array<i64, 1> in m2 = zeros %2
  %6: i64 = max %2, %3
  %7: i64 = sub %6, %3
  %8: i64 = const 4
  %9: bool = ge %7, %8
  %10: array<i64, 1> in m5|m7, %11: array<i64, 1> in m6|m8, %12: bool = if %9 !r m0|m1|m3|m4 !w m3|m4 {
    %13: i64 = dim[0] %0
    %14: i64 = const 2
    %15: i64 = const 1024
    %16: i64 = shr %13, %14
    %17: i64 = add %16, %15
    %18: bool = le %7, %17
    %19: i64 = const 0
    %20: i64 = select %18, %7, %19
    %21: array<f64, 1> in m3 = empty %20
    %22: array<f64, 1> in m4 = empty %20
    %23: i64 = const 0
    %24: i64 = const 1
    %25: bool = const true
    %26: bool = for %23, %20, %24, %25 !r m1 !w m3|m4 {
    (%27: i64, %28: bool):
      %29: i64 = add %3, %27
      %30: i64 = dim[0] %1
      %31: i64 = const 0
      %32: i64 = sub %31, %30
      %33: bool = ge %29, %32
      %34: bool = lt %29, %30
      %35: bool = and %33, %34
      %36: bool = and %28, %35
      %37: f64 = if %36 !r m1 {
        %38: f64 = load %1, %29 !r m1
        yield %38
      } else {
        %39: f64 = const 0.0
        yield %39
      }
      %40: i64 = add %29, %4
      %41: i64 = dim[0] %1
      %42: i64 = const 0
      %43: i64 = sub %42, %41
      %44: bool = ge %40, %43
      %45: bool = lt %40, %41
      %46: bool = and %44, %45
      %47: bool = and %36, %46
      %48: f64 = if %47 !r m1 {
        %49: f64 = load %1, %40 !r m1
        yield %49
      } else {
        %50: f64 = const 0.0
        yield %50
      }
      store %21, %37, %27 !w m3
      store %22, %48, %27 !w m4
      continue[0] %47
    }
    %51: bool = const true
    %52: bool = const false
    %53: array<i64, 1> in m5, %54: array<i64, 1> in m6, %55: bool = call[@range_groups] %0, %21, %22, %51, %52, %26 !r m0|m3|m4
    yield %53, %54, %55
  } else {
    %56: i64 = const 0
    %57: array<i64, 1> in m7 = empty %56
    %58: array<i64, 1> in m8 = empty %56
    %59: bool = const false
    yield %57, %58, %59
  }
  if %12 !r m0|m1|m6|m8|m11|m12|m13 !w m2 {
    for %3, %2, %4 !r m0|m1|m6|m8 !w m2 {
    (%60: i64):
      %61: f64 = load %1, %60 !r m1
      %62: i64 = add %60, %4
      %63: f64 = load %1, %62 !r m1
      %64: array<bool, 1> in m9 = ge %0, %61 !r m0
      %65: array<bool, 1> in m10 = lt %0, %63 !r m0
      %66: i64 = sub %60, %3
      %67: i64 = const 1
      %68: i64 = add %66, %67
      %69: i64 = load %11, %66 !r m6|m8
      %70: i64 = load %11, %68 !r m6|m8
      %71: array<i64, 1> in m5|m7 = view[start:stop] %10, %69, %70
      %72: i64 = sub %70, %69
      %73: i64 = dim[0] %71
      store %5, %73, %60 !w m2
      continue[0]
    }
    yield
  } else {
    for %3, %2, %4 !r m0|m1|m11|m12|m13 !w m2 {
    (%74: i64):
      %75: f64 = load %1, %74 !r m1
      %76: i64 = add %74, %4
      %77: f64 = load %1, %76 !r m1
      %78: array<bool, 1> in m11 = ge %0, %75 !r m0
      %79: array<bool, 1> in m12 = lt %0, %77 !r m0
      %80: array<bool, 1> in m13 = and %78, %79 !r m11|m12
      %81: array<i64, 1> in m14 = call[@places] %80 !r m13
      %82: i64 = dim[0] %81
      store %5, %82, %74 !w m2
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
