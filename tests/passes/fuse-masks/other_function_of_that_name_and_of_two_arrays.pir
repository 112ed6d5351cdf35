; Nor does a function of two arrays, none of which is one of truth values.
; pass: fuse-masks
; count: call = 1
; run: @f([1.0, 2.0], [4.0, 8.0]) = 15.0
func @masked_elements array operation "masked_elements" (%a: array<f64, 1>, %b: array<f64, 1>) -> (array<f64, 1>) {
  %c: array<f64, 1> = add %a, %b
  return %c
}

func @f array fast (%x: array<f64, 1>, %y: array<f64, 1>) -> (f64) {
  %c: array<f64, 1> = call[@masked_elements] %x, %y
  %sum: f64 = reduce[sum] %c
  return %sum
}
