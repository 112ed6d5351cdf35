; error: @r is launched with (i64, i64, i64, i64, bool, array<f64, 1>), not (i64, i64, i64, i64, bool) (rule 24)
func @r loop region[ | m0 invariant] (%begin: i64, %end: i64, %start: i64, %step: i64, %a: array<f64, 1>) -> () {
  return
}
func @f loop (%a: array<f64, 1>, %i: i64, %free: bool) -> () {
  launch[@r] %i, %i, %i, %i, %free
  return
}
