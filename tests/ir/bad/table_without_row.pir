; error: the table does not say that m0 is written (rule 23)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| sliced read [:, :]] %i, %i, %i, %b {
  (%1: i64):
    store %a, %x, %1
    continue[0]
  }
  return
}
