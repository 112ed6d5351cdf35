; error: there is no axis 1 in 1 (rule 11)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = dim[1] %a
  return
}
