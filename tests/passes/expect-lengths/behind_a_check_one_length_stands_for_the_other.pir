; Lengths that a check alone asks for need no test: behind it they are one.
; pass: expect-lengths
; count: unreachable = 0
; count: check = 1
; run: @f([1.0], [2.0]) = 1, 2
; run: @f([1.0], []) raises ValueError
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (i64, i64) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %same: bool = eq %n, %m
  check[ValueError, "lengths differ"] %same
  %sum: i64 = add %n, %m
  return %m, %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (i64, i64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: bool = eq %2, %3
  check[ValueError, "lengths differ"] %4
  %5: i64 = add %2, %2
  return %2, %5
}
