; error: @f is not the body of a loop (rule 24)
func @f loop (%a: array<f64, 1>, %i: i64, %free: bool) -> () {
  launch[@f] %i, %i, %i, %i, %free, %a
  return
}
