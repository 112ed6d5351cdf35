; error: operand 1 is not defined here (rule 5)
func @f array (%c: bool) -> () {
  %r: i64 = if %c {
    %0: i64 = const 1
    yield %0
  } else {
    yield %0
  }
  return
}
