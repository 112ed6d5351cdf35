; error: the results are () and should be (f64) (rule 9)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  load %a, %i
  return
}
