; error: 3:21: the string does not end on its line
func @f array () -> () {
  raise[ValueError, "no
  return
}
