; error: the results are not the accumulators (rule 24)
func @r loop region[sum | m0 invariant] (%begin: i64, %end: i64, %start: i64, %step: i64, %a: array<f64, 1>, %x: f64) -> (i64) {
  return %begin
}
