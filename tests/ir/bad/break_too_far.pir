; error: there is nothing 1 levels up that the jump could leave (rule 15)
func @f array () -> () {
  loop {
    break[1]
  }
  return
}
