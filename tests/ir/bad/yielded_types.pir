; error: (f64) is carried where (i64) is received (rule 16)
func @f array (%c: bool, %x: f64) -> () {
  %0: i64 = if %c {
    yield %x
  } else {
    unreachable
  }
  return
}
