; error: the table says `reduced sum` of what is not only updated: m0 (rule 24)
func @r loop region[ | m0 reduced sum] (%begin: i64, %end: i64, %start: i64, %step: i64, %a: array<i64, 1>) -> () {
  %x: i64 = load_raw %a, %begin
  update_raw[sum] %a, %x, %begin
  return
}
