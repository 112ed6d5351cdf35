; pass: lower
; count: matmul = 0
func @f array fast (%0: array<f64, 3>, %1: array<f64, 3>) -> (array<f64, 2>) {
  %2: array<f64, 4> = view[:, :, :, new] %0
  %3: array<f64, 4> = view[new, :, :, :] %1
  %4: array<f64, 2> = map[reduce sum axes 1 2] %2, %3 {
  (%5: f64, %6: f64):
    %7: f64 = mul %5, %6
    %8: f64 = mul %7, %7
    yield %8
  }
  return %4
}
