; error: loop IR computes on scalars (rule 6)
func @f loop slots=1 (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 1> = add %a, %a
  return
}
