; Two rows are kept at a time.
; pass: write-behind
; run: @f([[1.0, 2.0], [2.0, 3.0], [4.0, 6.0], [8.0, 9.0]]) = [[1.0, 2.0], [3.0, 4.0], [6.0, 6.0], [8.0, 9.0]]
; run: @f([[1.0, 2.0], [2.0, 3.0]]) = [[1.0, 2.0], [2.0, 3.0]]
func @f loop fast (%u: array<f64, 2> in m0) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %n: i64 = dim[0] %u
  %w: i64 = dim[1] %u
  %m: i64 = sub %n, %two
  %t: array<f64, 2> = empty %m, %w
  for %zero, %m, %one {
  (%i: i64):
    %k: i64 = add %i, %two
    for %zero, %w, %one {
    (%c: i64):
      %p: f64 = load_raw %u, %i, %c
      %q: f64 = load_raw %u, %k, %c
      %s: f64 = sub %q, %p
      store_raw %t, %s, %i, %c
      continue[0]
    }
    continue[0]
  }
  for %zero, %m, %one {
  (%j: i64):
    %l: i64 = add %j, %one
    for %zero, %w, %one {
    (%d: i64):
      %x: f64 = load_raw %t, %j, %d
      store_raw %u, %x, %l, %d
      continue[0]
    }
    continue[0]
  }
  return %u
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  %6: i64 = sub %4, %3
  %7: i64 = const 2
  %8: i64 = const 1
  %9: array<f64, 2> in m1 = empty %7, %5
  %10: i64 = add %6, %8
  for %1, %10, %2 !r m0|m1 !w m0|m1 {
  (%11: i64):
    %12: bool = lt %11, %6
    if %12 !r m0 !w m1 {
      %13: i64 = sub %11, %1
      %14: i64 = mod %13, %7
      %15: i64 = add %11, %3
      for %1, %5, %2 !r m0 !w m1 {
      (%16: i64):
        %17: f64 = load_raw %0, %11, %16 !r m0
        %18: f64 = load_raw %0, %15, %16 !r m0
        %19: f64 = sub %18, %17
        store_raw %9, %19, %14, %16 !w m1
        continue[0]
      }
      yield
    } else {
      yield
    }
    %20: i64 = sub %11, %8
    %21: bool = ge %20, %1
    if %21 !r m1 !w m0 {
      %22: i64 = sub %11, %8
      %23: i64 = sub %22, %1
      %24: i64 = mod %23, %7
      %25: i64 = add %22, %2
      for %1, %5, %2 !r m1 !w m0 {
      (%26: i64):
        %27: f64 = load_raw %9, %24, %26 !r m1
        store_raw %0, %27, %25, %26 !w m0
        continue[0]
      }
      yield
    } else {
      yield
    }
    continue[0]
  }
  return %0
}
