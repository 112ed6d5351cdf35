; error: a `map` holds only scalar operations that write nothing (rule 14)
func @f array (%a: array<f64, 1>, %i: i64, %c: bool) -> () {
  %0: array<f64, 1> = map %a {
  (%1: f64):
    if %c {
      print
      yield
    } else {
      yield
    }
    yield %1
  }
  return
}
