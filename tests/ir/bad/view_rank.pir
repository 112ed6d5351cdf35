; error: the results are (array<f64, 1>) and should be (array<f64, 0>) (rule 9)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 1> = view[at] %a, %i
  return
}
