; error: the results are (f64) and should be () (rule 9)
func @f array (%a: array<f64, 1>, %x: f64, %i: i64) -> () {
  %0: f64 = store %a, %x, %i
  return
}
