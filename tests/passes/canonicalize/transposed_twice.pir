; Two transpositions are one; that of nothing is not seen by what makes another view of the elements.
; pass: canonicalize, dce
; count: transpose = 1
; run: @f([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
func @f array (%a: array<f64, 2>) -> (array<f64, 1>, array<f64, 2>) {
  %n: i64 = const 6
  %t: array<f64, 2> = transpose[1, 0] %a
  %u: array<f64, 2> = transpose[1, 0] %t
  %flat: array<f64, 1> = reshape %u, %n
  return %flat, %u
}
; ---- after
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 1>, array<f64, 2>) {
  %1: i64 = const 6
  %2: array<f64, 2> in m0 = transpose[0, 1] %0
  %3: array<f64, 1> in m0|m1 = reshape %0, %1 !r m0
  return %3, %2
}
