; error: there is nothing 0 levels up that the jump could leave (rule 15)
func @f array () -> () {
  break[0]
}
