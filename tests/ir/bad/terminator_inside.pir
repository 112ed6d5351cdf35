; error: does not stand at the end (rule 4)
func @f array () -> () {
  return
  return
}
