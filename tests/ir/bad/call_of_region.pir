; error: @r is launched, not called (rule 24)
func @r loop region[ | m0 invariant] (%begin: i64, %end: i64, %start: i64, %step: i64, %a: array<f64, 1>) -> () {
  return
}
func @f loop (%a: array<f64, 1>, %i: i64, %free: bool) -> () {
  call[@r] %i, %i, %i, %i, %a
  return
}
