; A length is compared with a number, not with another length.
; pass: same-lengths
; count: unreachable = 0
; run: @f([1.0], [2.0, 4.0], 2) = false, true
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %k: i64) -> (bool, bool) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %first: bool = eq %n, %k
  %second: bool = eq %m, %k
  return %first, %second
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (bool, bool) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: bool = eq %3, %2
  %6: bool = eq %4, %2
  return %5, %6
}
