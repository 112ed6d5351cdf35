; Each element of the result is an iteration that carries its sum, for a device; the processor goes row by row.
; pass: lower
; count: device_wanted = 1
; count: store_raw = 3
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [4.0, 6.0]
func @f array fast device (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: array<f64, 1> in m1 = reduce[sum axes 0] %0 !r m0
  return %1
}
