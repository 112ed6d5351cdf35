; error: (i64) is carried where (f64) is received (rule 16)
func @f array (%a: array<f64, 1>, %i: i64) -> (f64) {
  return %i
}
