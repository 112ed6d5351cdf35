; error: there are 3 operands where 2 belong (rule 7)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = add %i, %i, %i
  return
}
