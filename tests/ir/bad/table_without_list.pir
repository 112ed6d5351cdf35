; error: the table does not say that m2 is written (rule 23)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| invariant] %i, %i, %i, %a {
  (%1: i64):
    list_append %l, %x
    continue[0]
  }
  return
}
