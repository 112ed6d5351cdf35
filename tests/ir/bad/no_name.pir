; error: a function has no name (rule 20)
func @"" array () -> () {
  return
}
