; error: `argmax` comes with no `max` (rule 17)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64, %1: i64 = pfor[min, argmax] %i, %i, %i, %i, %i {
  (%2: i64, %3: i64, %4: i64):
    continue[0] %3, %4
  }
  return
}
