; error: 2:41: the annotation says m1, but the value is in m0
func @f array (%a: array<f64, 1> in m0, %b: array<i32, 1> in m1) -> () {
  return
}
