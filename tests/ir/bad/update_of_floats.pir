; error: elements of f64 are not updated by `sum` (rule 9)
func @f loop (%a: array<f64, 1>, %i: i64, %x: f64) -> () {
  update_raw[sum] %a, %x, %i
  return
}
