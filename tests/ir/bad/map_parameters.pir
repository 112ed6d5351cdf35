; error: parameters (f64) instead of (f64, f64) (rule 13)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 1> = map %a, %a {
  (%1: f64):
    yield %1
  }
  return
}
