; Half of a length is not expected to be the length; twice the half is.
; pass: expect-lengths, canonicalize, cse, dce
; run: @f([1.0, 2.0, 4.0, 8.0]) = 6
; run: @f([1.0, 2.0, 4.0]) = 3
; run: @f([1.0]) = 1
func @f loop fast (%a: array<f64, 1>) -> (i64) {
  %two: i64 = const 2
  %n: i64 = dim[0] %a
  %half: i64 = floordiv %n, %two
  %alike: bool = eq %n, %half
  %r: i64 = if %alike {
    yield %two
  } else {
    yield %n
  }
  %twice: i64 = mul %half, %two
  %even: bool = eq %n, %twice
  %s: i64 = if %even {
    %t: i64 = add %r, %two
    yield %t
  } else {
    yield %r
  }
  return %s
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (i64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 2
  %3: i64 = floordiv %1, %2
  %4: i64 = mul %3, %2
  %5: bool = eq %1, %4
  if %5 {
    %6: bool = eq %1, %3
    %7: i64 = if %6 {
      yield %2
    } else {
      yield %1
    }
    %8: i64 = add %7, %2
    return %8
  } else {
    %9: bool = eq %1, %3
    %10: i64 = if %9 {
      yield %2
    } else {
      yield %1
    }
    %11: i64 = if %5 {
      %12: i64 = add %10, %2
      yield %12
    } else {
      yield %10
    }
    return %11
  }
  unreachable
}
