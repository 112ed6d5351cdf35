; error: array<f64, 1> is appended to as if it were a list (rule 22)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| appended] %i, %i, %i, %a {
  (%1: i64):
    continue[0]
  }
  return
}
