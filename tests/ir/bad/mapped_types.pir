; error: one f64 is to be yielded (rule 16)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  map[into] %a {
  (%1: f64):
    yield %i
  }
  return
}
