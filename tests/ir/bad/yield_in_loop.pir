; error: ends regions of `if` and `map` only (rule 14)
func @f array () -> () {
  loop {
    yield
  }
  unreachable
}
