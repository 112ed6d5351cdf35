; error: array IR has no slots (rule 6)
func @f array slots=2 () -> () {
  return
}
