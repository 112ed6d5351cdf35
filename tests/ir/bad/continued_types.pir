; error: () is carried where (i64) is received (rule 16)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = for %i, %i, %i, %i {
  (%1: i64, %2: i64):
    continue[0]
  }
  return
}
