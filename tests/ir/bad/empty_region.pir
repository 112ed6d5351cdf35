; error: a block has no terminator (rule 4)
func @f array (%c: bool) -> () {
  if %c {
  } else {
    yield
  }
  return
}
