; All three lengths must be equal for the code of equal lengths; one stands for all of them.
; pass: expect-lengths
; count: unreachable = 1
; count: return = 2
; run: @f([1.0], [2.0], [4.0]) = true, true, 1, 1
; run: @f([1.0], [2.0], [4.0, 8.0]) = true, false, 1, 2
; run: @f([1.0, 2.0], [2.0], [4.0]) = false, true, 1, 1
; run: @f([], [2.0], []) = false, false, 1, 0
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %c: array<f64, 1>) -> (bool, bool, i64, i64) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %k: i64 = dim[0] %c
  %first: bool = eq %n, %m
  %second: bool = eq %m, %k
  return %first, %second, %m, %k
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: array<f64, 1> in m2) -> (bool, bool, i64, i64) {
  %3: bool = const true
  %4: i64 = dim[0] %0
  %5: i64 = dim[0] %1
  %6: bool = eq %4, %5
  %7: i64 = dim[0] %2
  %8: bool = eq %5, %7
  %9: bool = and %6, %8
  if %9 {
    %10: i64 = dim[0] %0
    %11: i64 = dim[0] %1
    %12: i64 = dim[0] %2
    %13: bool = eq %10, %10
    %14: bool = eq %10, %10
    return %3, %3, %10, %10
  } else {
    %15: i64 = dim[0] %0
    %16: i64 = dim[0] %1
    %17: i64 = dim[0] %2
    %18: bool = eq %15, %16
    %19: bool = eq %16, %17
    return %18, %19, %16, %17
  }
  unreachable
}
