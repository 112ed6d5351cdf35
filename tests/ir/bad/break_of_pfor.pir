; error: only `continue[0]` leaves an iteration of a `pfor` (rule 15)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  pfor %i, %i, %i {
  (%j: i64):
    break[0]
  }
  return
}
