; error: @g gives (f64), not () (rule 19)
func @f array (%x: f64) -> () {
  call[@g] %x
  return
}

func @g array (%x: f64) -> (f64) {
  return %x
}
