; error: (i64) is passed to @g, which takes (f64) (rule 19)
func @f array (%i: i64) -> () {
  call[@g] %i
  return
}

func @g array (%x: f64) -> () {
  return
}
