; error: 3:3: the annotation says m1, but the value is in m0
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 1> in m1 = view[:] %a
  return
}
