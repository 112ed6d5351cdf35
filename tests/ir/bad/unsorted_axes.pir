; error: the axes are not sorted (rule 11)
func @f array (%a: array<f64, 2>) -> () {
  %0: f64 = reduce[sum axes 1 0] %a
  return
}
