; error: no axis has windows (rule 11)
func @f array (%a: array<f64, 0>, %i: i64) -> () {
  %0: array<f64, 1> = windows %a, %i
  return
}
