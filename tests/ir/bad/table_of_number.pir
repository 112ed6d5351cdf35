; error: a row is about i64, which is no memory (rule 22)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| invariant] %i, %i, %i, %i {
  (%1: i64):
    continue[0]
  }
  return
}
