; error: more axes than the destination (rule 8)
func @f array (%a: array<f64, 1>, %b: array<f64, 2>) -> () {
  assign %a, %b
  return
}
