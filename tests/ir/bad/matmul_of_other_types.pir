; error: f64 is multiplied by f32 (rule 8)
func @f array (%a: array<f64, 2>, %b: array<f32, 2>) -> () {
  %0: array<f64, 2> = matmul %a, %b
  return
}
