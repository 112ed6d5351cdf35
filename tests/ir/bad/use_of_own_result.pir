; error: operand 1 is not defined here (rule 5)
func @f array (%c: bool, %i: i64) -> () {
  %r: i64 = if %c {
    yield %r
  } else {
    yield %i
  }
  return
}
