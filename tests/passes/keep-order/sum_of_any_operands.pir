; pass: keep-order
; count: empty_strided = 1
; count: assign = 1
func @f array general (%0: array<f64, 2>, %1: array<f64, 2>) -> (array<f64, 2>) {
  %2: array<f64, 2> = mul %0, %1
  %3: array<f64, 2> = add %2, %1
  return %3
}
