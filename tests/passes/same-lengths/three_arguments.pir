; All three lengths must be equal for the code of equal lengths; one stands for all of them.
; pass: same-lengths
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
  %3: i64 = dim[0] %1
  %4: i64 = dim[0] %0
  %5: i64 = dim[0] %2
  %6: bool = eq %3, %4
  %7: bool = eq %5, %4
  %8: bool = and %6, %7
  if %8 {
    %9: i64 = dim[0] %0
    %10: i64 = dim[0] %1
    %11: i64 = dim[0] %2
    %12: bool = eq %4, %4
    %13: bool = eq %4, %4
    return %12, %13, %4, %4
  } else {
    %14: i64 = dim[0] %0
    %15: i64 = dim[0] %1
    %16: i64 = dim[0] %2
    %17: bool = eq %14, %15
    %18: bool = eq %15, %16
    return %17, %18, %15, %16
  }
  unreachable
}
