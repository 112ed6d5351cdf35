; error: a number of a table is f64 (rule 22)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| sliced read [i]] %i, %i, %i, %a, %x {
  (%1: i64):
    continue[0]
  }
  return
}
