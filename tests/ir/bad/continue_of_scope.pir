; error: a `scope` has no next iteration (rule 15)
func @f array () -> () {
  scope {
    continue[0]
  }
  return
}
