; error: not a permutation of 2 axes (rule 11)
func @f array (%a: array<f64, 2>) -> () {
  %0: array<f64, 2> = transpose[0, 0] %a
  return
}
