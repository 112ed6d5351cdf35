; error: the operands' element types differ: f64, i64 (rule 8)
func @f array (%x: f64, %i: i64) -> () {
  %0: f64 = add %x, %i
  return
}
