; error: there are 6 parameters, not 5 (rule 24)
func @r loop region[ | m0 invariant] (%begin: i64, %end: i64, %start: i64, %step: i64, %a: array<f64, 1>, %x: i64) -> () {
  return
}
