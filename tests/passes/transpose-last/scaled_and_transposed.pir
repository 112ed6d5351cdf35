; The product is of a transposed matrix, whose elements are computed as they lie.
; pass: transpose-last
; count: transpose = 2
; run: @f([[1.0, 2.0], [4.0, 8.0]], 3.0, [1.0, 1.0]) = [15.0, 30.0]
func @f array fast (%a: array<f64, 2>, %s: f64, %x: array<f64, 1>) -> (array<f64, 1>) {
  %t: array<f64, 2> = transpose[1, 0] %a
  %u: array<f64, 2> = mul %s, %t
  %y: array<f64, 1> = matmul %u, %x
  return %y
}
; ---- after
func @f array fast (%0: array<f64, 2> in m0, %1: f64, %2: array<f64, 1> in m1) -> (array<f64, 1>) {
  %3: array<f64, 2> in m0 = transpose[1, 0] %0
  %4: array<f64, 2> in m2 = mul %1, %0 !r m0
  %5: array<f64, 2> in m2 = transpose[1, 0] %4
  %6: array<f64, 1> in m3 = matmul %5, %2 !r m1|m2
  return %6
}
