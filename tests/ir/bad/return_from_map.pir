; error: `return` leaves a `map` (rule 15)
func @f array (%a: array<f64, 1>, %i: i64, %c: bool) -> () {
  %0: array<f64, 1> = map %a {
  (%1: f64):
    if %c {
      return
    } else {
      yield
    }
    yield %1
  }
  return
}
