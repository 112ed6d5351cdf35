; error: 3:3: the annotation says m0, but the operation writes nothing
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  print[np] %i !w m0
  return
}
