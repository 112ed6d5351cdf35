; error: along one axis or all (rule 11)
func @f array (%a: array<f64, 2>) -> () {
  %0: i64 = reduce[argmin axes 0 1] %a
  return
}
