; error: `sum` does not reduce bool (rule 17)
func @f array (%a: array<f64, 1>, %i: i64, %b: bool) -> () {
  %0: bool = pfor[sum] %i, %i, %i, %b {
  (%1: i64, %2: bool):
    continue[0] %2
  }
  return
}
