; A number that is given is compared with a length, as that of an array that is made.
; pass: expect-lengths, canonicalize, cse, dce
; count: unreachable = 1
; run: @f([1.0, 2.0], 2) = 2
; run: @f([1.0, 2.0], 1) = -1
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (i64) {
  %n: i64 = dim[0] %a
  %none: i64 = const -1
  %same: bool = eq %n, %k
  %r: i64 = if %same {
    yield %k
  } else {
    yield %none
  }
  return %r
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (i64) {
  %2: i64 = dim[0] %0
  %3: bool = eq %2, %1
  if %3 {
    return %1
  } else {
    %4: i64 = const -1
    %5: i64 = if %3 {
      yield %1
    } else {
      yield %4
    }
    return %5
  }
  unreachable
}
