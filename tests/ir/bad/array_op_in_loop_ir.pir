; error: none of loop IR (rule 6)
func @f loop (%a: array<f64, 1>, %i: i64) -> () {
  %0: f64 = load %a, %i
  return
}
