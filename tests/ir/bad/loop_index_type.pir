; error: parameters (i32) instead of (i64) (rule 13)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  for %i, %i, %i {
  (%1: i32):
    continue[0]
  }
  return
}
