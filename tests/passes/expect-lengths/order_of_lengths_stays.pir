; That one length is at most the other one asks for no equal lengths.
; pass: expect-lengths
; count: unreachable = 0
; run: @f([1.0], [2.0, 4.0]) = true
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (bool) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %same: bool = le %n, %m
  return %same
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (bool) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: bool = le %2, %3
  return %4
}
