; error: the operation before always ends normally (rule 18)
func @f array () -> () {
  loop {
    break[0]
  }
  unreachable
}
