; error: the table says `sliced read [i]` of what is written: m0 (rule 23)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| sliced read [i]] %i, %i, %i, %a {
  (%1: i64):
    store %a, %x, %1
    continue[0]
  }
  return
}
