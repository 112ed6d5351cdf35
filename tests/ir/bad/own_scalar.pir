; error: i64 has no owner (rule 8)
func @f loop slots=1 (%a: array<f64, 1>, %i: i64) -> () {
  own[slot0] %i
  return
}
