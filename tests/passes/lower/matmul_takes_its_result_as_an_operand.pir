; pass: lower
; count: check = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1.0, -1.0]) = [-1.0, -1.0]
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1.0]) raises ValueError
func @f array fast (%0: array<f64, 2>, %1: array<f64, 1>) -> (array<f64, 1>) {
  %2: array<f64, 1> = matmul %0, %1
  return %2
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = dim[0] %1
  %5: bool = eq %4, %3
  check[ValueError, "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {0} is different from {1})"] %5, %4, %3
  %6: i64 = const 0
  %7: i64 = const 1
  %8: i64 = const 8
  %9: array<f64, 2> in m1 = raw_view %1, %6, %4, %7, %8, %8
  %10: array<f64, 1> in m2 = empty %2
  %11: array<f64, 2> in m2 = raw_view %10, %6, %2, %7, %8, %8
  matmul %0, %9, %11 !r m0|m1|m2 !w m2
  return %10
}
