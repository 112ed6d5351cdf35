; error: there are 1 operands where 3 belong (rule 7)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 1> = view[start:stop] %a
  return
}
