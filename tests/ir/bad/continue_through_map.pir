; error: the jump leaves a `map` (rule 15)
func @f array (%a: array<f64, 1>, %i: i64, %c: bool) -> () {
  for %i, %i, %i {
  (%j: i64):
    %0: array<f64, 1> = map %a {
    (%1: f64):
      if %c {
        continue[0]
      } else {
        yield
      }
      yield %1
    }
    continue[0]
  }
  return
}
