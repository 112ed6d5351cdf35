; pass: keep-order
; count: empty_strided = 0
; count: assign = 0
; count: keep_order = 0
func @f array general (%0: array<f64, 2>, %1: array<f64, 2>) -> (f64) {
  %2: array<f64, 2> = mul %0, %1
  %3: array<f64, 2> = copy %2
  %4: array<f64, 2> = keep_order[copy] %3, %2
  %5: array<f64, 1> = reshape %4
  %6: f64 = reduce[sum] %5
  return %6
}
