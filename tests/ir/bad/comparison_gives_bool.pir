; error: the results are (i64) and should be (bool) (rule 9)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = lt %i, %i
  return
}
