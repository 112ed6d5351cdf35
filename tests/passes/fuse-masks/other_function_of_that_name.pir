; What is called so in the library of sparse matrices takes no mask.
; pass: fuse-masks
; count: call = 1
; run: @f([1.0, 2.0]) = 6.0
func @masked_elements array operation "masked_elements" (%a: array<f64, 1>) -> (array<f64, 1>) {
  %b: array<f64, 1> = add %a, %a
  return %b
}

func @f array fast (%x: array<f64, 1>) -> (f64) {
  %c: array<f64, 1> = call[@masked_elements] %x
  %sum: f64 = reduce[sum] %c
  return %sum
}
