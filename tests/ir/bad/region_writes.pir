; error: the table says `invariant` of what is written: m0 (rule 24)
func @r loop region[ | m0 invariant] (%begin: i64, %end: i64, %start: i64, %step: i64, %a: array<f64, 1>) -> () {
  %x: f64 = const 1.0
  store_raw %a, %x, %begin
  return
}
