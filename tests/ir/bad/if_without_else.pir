; error: there are 1 regions where 2 belong (rule 13)
func @f array (%c: bool) -> () {
  if %c {
    yield
  }
  return
}
