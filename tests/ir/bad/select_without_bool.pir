; error: the condition is no bool (rule 8)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = select %i, %i, %i
  return
}
