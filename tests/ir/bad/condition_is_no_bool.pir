; error: an operand is i64 and should be bool (rule 8)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  check[ValueError] %i
  return
}
