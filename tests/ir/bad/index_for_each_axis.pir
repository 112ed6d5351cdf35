; error: there are 1 operands where 2 belong (rule 7)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: f64 = load %a
  return
}
