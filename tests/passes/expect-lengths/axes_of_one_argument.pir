; Both axes of one argument are compared as well: a square matrix has code of its own.
; pass: expect-lengths
; count: unreachable = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = 9.0
; run: @f([[1.0, 2.0]]) = 2.0
func @f loop fast (%a: array<f64, 2>) -> (f64) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %square: bool = eq %n, %m
  %trace: f64 = if %square {
    %sum: f64 = for %zero, %n, %one, %none {
    (%i: i64, %p: f64):
      %x: f64 = load_raw %a, %i, %i
      %q: f64 = add %p, %x
      continue[0] %q
    }
    yield %sum
  } else {
    %y: f64 = load_raw %a, %zero, %one
    yield %y
  }
  return %trace
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (f64) {
  %1: bool = const true
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: bool = eq %2, %3
  if %4 !r m0 {
    %5: i64 = dim[0] %0
    %6: i64 = dim[1] %0
    %7: i64 = const 0
    %8: i64 = const 1
    %9: f64 = const 0.0
    %10: bool = eq %5, %5
    %11: f64 = if %1 !r m0 {
      %12: f64 = for %7, %5, %8, %9 !r m0 {
      (%13: i64, %14: f64):
        %15: f64 = load_raw %0, %13, %13 !r m0
        %16: f64 = add %14, %15
        continue[0] %16
      }
      yield %12
    } else {
      %17: f64 = load_raw %0, %7, %8 !r m0
      yield %17
    }
    return %11
  } else {
    %18: i64 = dim[0] %0
    %19: i64 = dim[1] %0
    %20: i64 = const 0
    %21: i64 = const 1
    %22: f64 = const 0.0
    %23: bool = eq %18, %19
    %24: f64 = if %23 !r m0 {
      %25: f64 = for %20, %18, %21, %22 !r m0 {
      (%26: i64, %27: f64):
        %28: f64 = load_raw %0, %26, %26 !r m0
        %29: f64 = add %27, %28
        continue[0] %29
      }
      yield %25
    } else {
      %30: f64 = load_raw %0, %20, %21 !r m0
      yield %30
    }
    return %24
  }
  unreachable
}
