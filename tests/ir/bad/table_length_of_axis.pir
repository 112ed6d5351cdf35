; error: array<f64, 1> has no axis 1 (rule 22)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| sliced read [n0.1 - 1]] %i, %i, %i, %a {
  (%1: i64):
    continue[0]
  }
  return
}
