; error: none of array IR (rule 6)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: f64 = load_raw %a, %i
  return
}
