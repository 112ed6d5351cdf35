; A length is compared with a number, not with another length.
; pass: expect-lengths
; count: unreachable = 0
; run: @f([1.0], [2.0, 4.0]) = false, true
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (bool, bool) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %k: i64 = const 2
  %first: bool = eq %n, %k
  %second: bool = eq %m, %k
  return %first, %second
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (bool, bool) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 2
  %5: bool = eq %2, %4
  %6: bool = eq %3, %4
  return %5, %6
}
