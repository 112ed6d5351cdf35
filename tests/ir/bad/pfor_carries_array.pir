; error: `sum` does not reduce array<f64, 1> (rule 17)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 1> = pfor[sum] %i, %i, %i, %a {
  (%1: i64, %2: array<f64, 1>):
    continue[0] %2
  }
  return
}
