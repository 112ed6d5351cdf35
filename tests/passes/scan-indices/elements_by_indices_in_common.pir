; Corners of a grid: gathers that have one of their indices in common lose their checks.
; pass: scan-indices
; count: for = 6
; run: @f([[1.0, 2.0], [4.0, 8.0]], [1, 0], [0, 1], [-1, 0]) = [4.0, 2.0], [8.0, 1.0]
; run: @f([[1.0, 2.0], [4.0, 8.0]], [1, 2], [0, 1], [-1, 0]) raises IndexError
; run: @f([[1.0, 2.0], [4.0, 8.0]], [1, 1], [0, 1], [-1, 2]) raises IndexError
func @f loop fast (%a: array<f64, 2>, %y: array<i64, 1>, %x: array<i64, 1>, %z: array<i64, 1>) -> (array<f64, 1>, array<f64, 1>) {
  %m: i64 = dim[0] %a
  %q: i64 = dim[1] %a
  %n: i64 = dim[0] %y
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %ka0: i64 = load_raw %y, %i
    %wa0: i64 = add %ka0, %m
    %ca0: bool = lt %ka0, %zero
    %sa0: i64 = select %ca0, %wa0, %ka0
    %ua0: u64 = cast %sa0
    %la0: u64 = cast %m
    %ina0: bool = lt %ua0, %la0
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %ina0, %ka0, %m
    %ka1: i64 = load_raw %x, %i
    %wa1: i64 = add %ka1, %q
    %ca1: bool = lt %ka1, %zero
    %sa1: i64 = select %ca1, %wa1, %ka1
    %ua1: u64 = cast %sa1
    %la1: u64 = cast %q
    %ina1: bool = lt %ua1, %la1
    check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %ina1, %ka1, %q
    %xa: f64 = load_raw %a, %sa0, %sa1
    store_raw %t, %xa, %i
    continue[0]
  }
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %kb0: i64 = load_raw %y, %j
    %wb0: i64 = add %kb0, %m
    %cb0: bool = lt %kb0, %zero
    %sb0: i64 = select %cb0, %wb0, %kb0
    %ub0: u64 = cast %sb0
    %lb0: u64 = cast %m
    %inb0: bool = lt %ub0, %lb0
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %inb0, %kb0, %m
    %kb1: i64 = load_raw %z, %j
    %wb1: i64 = add %kb1, %q
    %cb1: bool = lt %kb1, %zero
    %sb1: i64 = select %cb1, %wb1, %kb1
    %ub1: u64 = cast %sb1
    %lb1: u64 = cast %q
    %inb1: bool = lt %ub1, %lb1
    check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %inb1, %kb1, %q
    %xb: f64 = load_raw %a, %sb0, %sb1
    store_raw %r, %xb, %j
    continue[0]
  }
  return %t, %r
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<i64, 1> in m1, %2: array<i64, 1> in m2, %3: array<i64, 1> in m3) -> (array<f64, 1>, array<f64, 1>) {
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  %6: i64 = dim[0] %1
  %7: i64 = const 0
  %8: i64 = const 1
  %9: array<f64, 1> in m4 = empty %6
  %10: bool = const true
  %11: bool = for %7, %6, %8, %10 !r m1|m2 {
  (%12: i64, %13: bool):
    %14: i64 = load_raw %1, %12 !r m1
    %15: i64 = add %14, %4
    %16: bool = lt %14, %7
    %17: i64 = select %16, %15, %14
    %18: u64 = cast %17
    %19: u64 = cast %4
    %20: bool = lt %18, %19
    %21: bool = and %13, %20
    %22: i64 = load_raw %2, %12 !r m2
    %23: i64 = add %22, %5
    %24: bool = lt %22, %7
    %25: i64 = select %24, %23, %22
    %26: u64 = cast %25
    %27: u64 = cast %5
    %28: bool = lt %26, %27
    %29: bool = and %21, %28
    continue[0] %29
  }
  if %11 !r m1|m2 {
    yield
  } else cold {
    for %7, %6, %8 !r m1|m2 {
    (%30: i64):
      %31: i64 = load_raw %1, %30 !r m1
      %32: i64 = add %31, %4
      %33: bool = lt %31, %7
      %34: i64 = select %33, %32, %31
      %35: u64 = cast %34
      %36: u64 = cast %4
      %37: bool = lt %35, %36
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %37, %31, %4
      %38: i64 = load_raw %2, %30 !r m2
      %39: i64 = add %38, %5
      %40: bool = lt %38, %7
      %41: i64 = select %40, %39, %38
      %42: u64 = cast %41
      %43: u64 = cast %5
      %44: bool = lt %42, %43
      check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %44, %38, %5
      continue[0]
    }
    yield
  }
  for %7, %6, %8 !r m0|m1|m2 !w m4 {
  (%45: i64):
    %46: i64 = load_raw %1, %45 !r m1
    %47: i64 = add %46, %4
    %48: bool = lt %46, %7
    %49: i64 = select %48, %47, %46
    %50: u64 = cast %49
    %51: u64 = cast %4
    %52: bool = lt %50, %51
    %53: i64 = load_raw %2, %45 !r m2
    %54: i64 = add %53, %5
    %55: bool = lt %53, %7
    %56: i64 = select %55, %54, %53
    %57: u64 = cast %56
    %58: u64 = cast %5
    %59: bool = lt %57, %58
    %60: f64 = load_raw %0, %49, %56 !r m0
    store_raw %9, %60, %45 !w m4
    continue[0]
  }
  %61: array<f64, 1> in m5 = empty %6
  %62: bool = const true
  %63: bool = for %7, %6, %8, %62 !r m1|m3 {
  (%64: i64, %65: bool):
    %66: i64 = load_raw %1, %64 !r m1
    %67: i64 = add %66, %4
    %68: bool = lt %66, %7
    %69: i64 = select %68, %67, %66
    %70: u64 = cast %69
    %71: u64 = cast %4
    %72: bool = lt %70, %71
    %73: bool = and %65, %72
    %74: i64 = load_raw %3, %64 !r m3
    %75: i64 = add %74, %5
    %76: bool = lt %74, %7
    %77: i64 = select %76, %75, %74
    %78: u64 = cast %77
    %79: u64 = cast %5
    %80: bool = lt %78, %79
    %81: bool = and %73, %80
    continue[0] %81
  }
  if %63 !r m1|m3 {
    yield
  } else cold {
    for %7, %6, %8 !r m1|m3 {
    (%82: i64):
      %83: i64 = load_raw %1, %82 !r m1
      %84: i64 = add %83, %4
      %85: bool = lt %83, %7
      %86: i64 = select %85, %84, %83
      %87: u64 = cast %86
      %88: u64 = cast %4
      %89: bool = lt %87, %88
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %89, %83, %4
      %90: i64 = load_raw %3, %82 !r m3
      %91: i64 = add %90, %5
      %92: bool = lt %90, %7
      %93: i64 = select %92, %91, %90
      %94: u64 = cast %93
      %95: u64 = cast %5
      %96: bool = lt %94, %95
      check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %96, %90, %5
      continue[0]
    }
    yield
  }
  for %7, %6, %8 !r m0|m1|m3 !w m5 {
  (%97: i64):
    %98: i64 = load_raw %1, %97 !r m1
    %99: i64 = add %98, %4
    %100: bool = lt %98, %7
    %101: i64 = select %100, %99, %98
    %102: u64 = cast %101
    %103: u64 = cast %4
    %104: bool = lt %102, %103
    %105: i64 = load_raw %3, %97 !r m3
    %106: i64 = add %105, %5
    %107: bool = lt %105, %7
    %108: i64 = select %107, %106, %105
    %109: u64 = cast %108
    %110: u64 = cast %5
    %111: bool = lt %109, %110
    %112: f64 = load_raw %0, %101, %108 !r m0
    store_raw %61, %112, %97 !w m5
    continue[0]
  }
  return %9, %61
}
