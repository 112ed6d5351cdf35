; error: there are operands for a table, but there is none (rule 7)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  pfor %i, %i, %i, %i {
  (%1: i64):
    continue[0]
  }
  return
}
