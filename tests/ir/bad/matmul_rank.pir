; error: should be (f64) (rule 9)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 0> = matmul %a, %a
  return
}
