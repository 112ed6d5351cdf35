; error: a reducing `map` yields one scalar (rule 16)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: f64 = map[reduce sum] %a {
  (%1: f64):
    yield %1, %1
  }
  return
}
