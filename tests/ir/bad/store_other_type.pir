; error: an operand is i64 and should be f64 (rule 8)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  store %a, %i, %i
  return
}
