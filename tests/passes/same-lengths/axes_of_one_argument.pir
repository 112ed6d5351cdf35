; Both axes of one argument are compared as well: a square matrix has code of its own.
; pass: same-lengths
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
  %1: i64 = dim[1] %0
  %2: i64 = dim[0] %0
  %3: bool = eq %1, %2
  if %3 !r m0 {
    %4: i64 = dim[0] %0
    %5: i64 = dim[1] %0
    %6: i64 = const 0
    %7: i64 = const 1
    %8: f64 = const 0.0
    %9: bool = eq %2, %2
    %10: f64 = if %9 !r m0 {
      %11: f64 = for %6, %2, %7, %8 !r m0 {
      (%12: i64, %13: f64):
        %14: f64 = load_raw %0, %12, %12 !r m0
        %15: f64 = add %13, %14
        continue[0] %15
      }
      yield %11
    } else {
      %16: f64 = load_raw %0, %6, %7 !r m0
      yield %16
    }
    return %10
  } else {
    %17: i64 = dim[0] %0
    %18: i64 = dim[1] %0
    %19: i64 = const 0
    %20: i64 = const 1
    %21: f64 = const 0.0
    %22: bool = eq %17, %18
    %23: f64 = if %22 !r m0 {
      %24: f64 = for %19, %17, %20, %21 !r m0 {
      (%25: i64, %26: f64):
        %27: f64 = load_raw %0, %25, %25 !r m0
        %28: f64 = add %26, %27
        continue[0] %28
      }
      yield %24
    } else {
      %29: f64 = load_raw %0, %19, %20 !r m0
      yield %29
    }
    return %23
  }
  unreachable
}
