; error: loop IR converts scalars (rule 6)
func @f loop slots=1 (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f32, 1> = cast %a
  return
}
