; Only lengths of arguments are known from the start.
; pass: expect-lengths
; count: unreachable = 0
; run: @f([1.0], 1) = true
; run: @f([1.0], 2) = false
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (bool) {
  %n: i64 = dim[0] %a
  %c: array<f64, 1> = empty %k
  %m: i64 = dim[0] %c
  %same: bool = eq %n, %m
  return %same
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (bool) {
  %2: i64 = dim[0] %0
  %3: array<f64, 1> in m1 = empty %1
  %4: i64 = dim[0] %3
  %5: bool = eq %2, %4
  return %5
}
