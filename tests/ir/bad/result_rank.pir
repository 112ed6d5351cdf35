; error: the results are (array<f64, 2>) and should be (array<f64, 1>) (rule 9)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 2> = neg %a
  return
}
