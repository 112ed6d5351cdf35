; pass: lower
; count: matmul = 0
func @f array fast (%0: array<f64, 3>, %1: array<f64, 2>) -> (array<f64, 1>) {
  %2: array<f64, 3> = view[new, :, :] %1
  %3: array<f64, 1> = map[reduce sum axes 1 2] %0, %2 {
  (%4: f64, %5: f64):
    %6: f64 = mul %4, %5
    yield %6
  }
  return %3
}
