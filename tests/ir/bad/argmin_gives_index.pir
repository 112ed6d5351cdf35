; error: should be (i64) (rule 9)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: f64 = reduce[argmin] %a
  return
}
