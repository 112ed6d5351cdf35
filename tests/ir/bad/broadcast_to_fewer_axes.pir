; error: 0 dims for 1 axes (rule 7)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 0> = broadcast_to %a
  return
}
