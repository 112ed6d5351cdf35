; An array that two others are stretched to is expected to be no shorter than what a slice takes of it: as many as a third has.
; pass: expect-lengths, canonicalize, cse, dce
; count: min = 1
; run: @f([1.0, 2.0, 4.0], [8.0, 16.0, 32.0], [1.0, 2.0]) = 2
; run: @f([1.0, 2.0, 4.0], [8.0], [1.0, 2.0]) = 2
; run: @f([1.0], [8.0], [1.0, 2.0]) = -1
; run: @f([1.0, 2.0], [8.0, 16.0], [1.0, 2.0, 3.0]) = -1
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %c: array<f64, 1>) -> (i64) {
  %one: i64 = const 1
  %none: i64 = const -1
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %k: i64 = dim[0] %c
  %isone: bool = eq %n, %one
  %length: i64 = select %isone, %m, %n
  %end: i64 = min %k, %length
  %same: bool = eq %end, %k
  %r: i64 = if %same {
    %equal: bool = eq %n, %m
    %s: i64 = if %equal {
      yield %end
    } else {
      yield %k
    }
    yield %s
  } else {
    yield %none
  }
  return %r
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: array<f64, 1> in m2) -> (i64) {
  %3: i64 = dim[0] %2
  %4: i64 = dim[0] %0
  %5: i64 = const 1
  %6: bool = eq %4, %5
  %7: i64 = dim[0] %1
  %8: i64 = select %6, %7, %4
  %9: bool = le %3, %8
  %10: bool = eq %4, %7
  %11: bool = and %9, %10
  if %11 {
    return %3
  } else {
    if %9 {
      return %3
    } else cold {
      %12: i64 = const -1
      %13: i64 = min %3, %8
      %14: bool = eq %13, %3
      %15: i64 = if %14 {
        %16: i64 = if %10 {
          yield %13
        } else {
          yield %3
        }
        yield %16
      } else {
        yield %12
      }
      return %15
    }
    unreachable
  }
  unreachable
}
