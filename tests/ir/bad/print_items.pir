; error: there are 1 items to print and 0 words about them (rule 11)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  print %i
  return
}
