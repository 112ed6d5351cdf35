; Two slices of one length: where both arrays are long enough nothing is asked of the lengths again. The last body is cold.
; pass: expect-lengths, canonicalize, cse, dce
; count: unreachable = 1
; count: min = 2
; run: @f([1.0, 2.0, 4.0], [8.0, 16.0, 32.0, 64.0], 2) = 2
; run: @f([1.0, 2.0, 4.0], [8.0], 2) = -1
; run: @f([1.0], [8.0], 2) = 1
; run: @f([1.0], [8.0], -3) = 0
; run: @f([1.0, 2.0], [8.0, 16.0, 32.0], -1) = -1
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %k: i64) -> (i64) {
  %zero: i64 = const 0
  %none: i64 = const -1
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %negative: bool = lt %k, %zero
  %fromn: i64 = add %k, %n
  %wrapn: i64 = select %negative, %fromn, %k
  %highn: i64 = max %wrapn, %zero
  %x: i64 = min %highn, %n
  %fromm: i64 = add %k, %m
  %wrapm: i64 = select %negative, %fromm, %k
  %highm: i64 = max %wrapm, %zero
  %y: i64 = min %highm, %m
  %same: bool = eq %x, %y
  %r: i64 = if %same {
    yield %x
  } else {
    yield %none
  }
  return %r
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (i64) {
  %3: i64 = const 0
  %4: bool = ge %2, %3
  %5: i64 = dim[0] %0
  %6: bool = le %2, %5
  %7: i64 = dim[0] %1
  %8: bool = le %2, %7
  %9: bool = and %4, %4
  %10: bool = and %9, %6
  %11: bool = and %10, %4
  %12: bool = and %11, %4
  %13: bool = and %12, %8
  if %13 {
    return %2
  } else cold {
    %14: i64 = const -1
    %15: bool = lt %2, %3
    %16: i64 = add %2, %5
    %17: i64 = select %15, %16, %2
    %18: i64 = max %17, %3
    %19: i64 = min %18, %5
    %20: i64 = add %2, %7
    %21: i64 = select %15, %20, %2
    %22: i64 = max %21, %3
    %23: i64 = min %22, %7
    %24: bool = eq %19, %23
    %25: i64 = if %24 {
      yield %19
    } else {
      yield %14
    }
    return %25
  }
  unreachable
}
