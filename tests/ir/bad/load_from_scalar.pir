; error: should be an array is none (rule 8)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = load %i
  return
}
