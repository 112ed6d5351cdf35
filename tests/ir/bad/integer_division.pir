; error: `div` is not defined for i64 (rule 10)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = div %i, %i
  return
}
