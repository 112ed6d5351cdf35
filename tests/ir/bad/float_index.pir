; error: an operand is f64 and should be i64 (rule 8)
func @f array (%a: array<f64, 1>, %x: f64) -> () {
  %0: f64 = load %a, %x
  return
}
