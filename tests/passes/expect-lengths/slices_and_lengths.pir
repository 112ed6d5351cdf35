; Equal lengths are asked for besides: the body for slices that end within their arrays asks only for these.
; pass: expect-lengths, canonicalize, cse, dce
; count: unreachable = 2
; run: @f([1.0, 2.0, 4.0], [8.0, 16.0]) = 2
; run: @f([1.0, 2.0, 4.0], [8.0, 16.0, 32.0]) = -1
; run: @f([], [8.0]) = -1
; run: @f([], []) = 0
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (i64) {
  %one: i64 = const 1
  %none: i64 = const -1
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %start: i64 = min %one, %n
  %length: i64 = sub %n, %start
  %same: bool = eq %length, %m
  %r: i64 = if %same {
    yield %length
  } else {
    yield %none
  }
  return %r
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (i64) {
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: bool = le %2, %3
  %5: i64 = sub %3, %2
  %6: i64 = dim[0] %1
  %7: bool = eq %5, %6
  %8: bool = and %4, %7
  if %8 {
    return %6
  } else {
    if %4 {
      %9: i64 = const -1
      %10: i64 = if %7 {
        yield %5
      } else {
        yield %9
      }
      return %10
    } else cold {
      %11: i64 = const -1
      %12: i64 = min %2, %3
      %13: i64 = sub %3, %12
      %14: bool = eq %13, %6
      %15: i64 = if %14 {
        yield %13
      } else {
        yield %11
      }
      return %15
    }
    unreachable
  }
  unreachable
}
