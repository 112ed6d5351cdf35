; error: there is no operand 3 of the table (rule 22)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| sliced read [i + v3]] %i, %i, %i, %a {
  (%1: i64):
    continue[0]
  }
  return
}
