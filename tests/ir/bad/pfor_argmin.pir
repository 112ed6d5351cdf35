; error: `argmin` comes with no `min` (rule 17)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = pfor[argmin] %i, %i, %i, %i {
  (%1: i64, %2: i64):
    continue[0] %2
  }
  return
}
