; error: 2 axes are indexed and the array has 1 (rule 11)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 0> = view[at, at] %a, %i, %i
  return
}
