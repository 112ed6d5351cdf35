; The rows are looked at once, and then the columns, as NumPy does: a check is made where its index is.
; pass: scan-indices
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1, 0], [1, 1, 0]) = [[4.0, 4.0, 3.0], [2.0, 2.0, 1.0]]
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1, 2], [1, 1, 0]) raises IndexError
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1, 0], [2]) raises IndexError
; run: @f([[1.0, 2.0], [3.0, 4.0]], [7, 0], []) = [[], []]
; run: @f([[1.0, 2.0], [3.0, 4.0]], [], [7]) = []
func @f loop fast (%a: array<f64, 2>, %rows: array<i64, 1>, %columns: array<i64, 1>) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %h: i64 = dim[0] %a
  %w: i64 = dim[1] %a
  %n: i64 = dim[0] %rows
  %m: i64 = dim[0] %columns
  %t: array<f64, 2> = empty %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %r: i64 = load_raw %rows, %i
      %c: i64 = load_raw %columns, %j
      %ru: u64 = cast %r
      %hu: u64 = cast %h
      %rok: bool = lt %ru, %hu
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %rok, %r, %h
      %cu: u64 = cast %c
      %wu: u64 = cast %w
      %cok: bool = lt %cu, %wu
      check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %cok, %c, %w
      %x: f64 = load_raw %a, %r, %c
      store_raw %t, %x, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %t
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<i64, 1> in m1, %2: array<i64, 1> in m2) -> (array<f64, 2>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %0
  %6: i64 = dim[1] %0
  %7: i64 = dim[0] %1
  %8: i64 = dim[0] %2
  %9: array<f64, 2> in m3 = empty %7, %8
  %10: bool = const true
  %11: bool = for %3, %7, %4, %10 !r m1 {
  (%12: i64, %13: bool):
    %14: i64 = load_raw %1, %12 !r m1
    %15: u64 = cast %14
    %16: u64 = cast %5
    %17: bool = lt %15, %16
    %18: bool = and %13, %17
    continue[0] %18
  }
  if %11 !r m1 {
    yield
  } else cold {
    for %3, %7, %4 !r m1 {
    (%19: i64):
      for %3, %8, %4 !r m1 {
      (%20: i64):
        %21: i64 = load_raw %1, %19 !r m1
        %22: u64 = cast %21
        %23: u64 = cast %5
        %24: bool = lt %22, %23
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %24, %21, %5
        continue[0]
      }
      continue[0]
    }
    yield
  }
  %25: bool = const true
  %26: bool = for %3, %8, %4, %25 !r m2 {
  (%27: i64, %28: bool):
    %29: i64 = load_raw %2, %27 !r m2
    %30: u64 = cast %29
    %31: u64 = cast %6
    %32: bool = lt %30, %31
    %33: bool = and %28, %32
    continue[0] %33
  }
  if %26 !r m2 {
    yield
  } else cold {
    for %3, %7, %4 !r m2 {
    (%34: i64):
      for %3, %8, %4 !r m2 {
      (%35: i64):
        %36: i64 = load_raw %2, %35 !r m2
        %37: u64 = cast %36
        %38: u64 = cast %6
        %39: bool = lt %37, %38
        check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %39, %36, %6
        continue[0]
      }
      continue[0]
    }
    yield
  }
  for %3, %7, %4 !r m0|m1|m2 !w m3 {
  (%40: i64):
    for %3, %8, %4 !r m0|m1|m2 !w m3 {
    (%41: i64):
      %42: i64 = load_raw %1, %40 !r m1
      %43: i64 = load_raw %2, %41 !r m2
      %44: u64 = cast %42
      %45: u64 = cast %5
      %46: bool = lt %44, %45
      %47: u64 = cast %43
      %48: u64 = cast %6
      %49: bool = lt %47, %48
      %50: f64 = load_raw %0, %42, %43 !r m0
      store_raw %9, %50, %40, %41 !w m3
      continue[0]
    }
    continue[0]
  }
  return %9
}
