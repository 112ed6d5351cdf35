; pass: lower
; count: matmul = 0
; run: @f([[1.0, 2.0], [3.0, 4.0]], [[1.0], [1.0]]) = [[3.0], [7.0]]
func @f array fast (%0: array<f64, 2>, %1: array<f64, 2>) -> (array<f64, 2>) {
  %2: array<f64, 3> = view[:, :, new] %0
  %3: array<f64, 3> = view[new, :, :] %1
  %4: array<f64, 2> = map[reduce sum axes 1] %2, %3 {
  (%5: f64, %6: f64):
    %7: f64 = mul %5, %6
    yield %7
  }
  return %4
}
