; error: should be (i64) (rule 9)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: f64 = for %i, %i, %i, %i {
  (%1: i64, %2: i64):
    continue[0] %2
  }
  return
}
