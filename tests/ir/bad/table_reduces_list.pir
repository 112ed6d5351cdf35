; error: list<f64> is reduced as if it were an array (rule 22)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>, %i: i64, %x: f64, %l: list<f64>) -> () {
  pfor[| reduced sum] %i, %i, %i, %l {
  (%1: i64):
    continue[0]
  }
  return
}
