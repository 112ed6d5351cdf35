; error: should be (array<i64, 1>) (rule 9)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = cast %a
  return
}
