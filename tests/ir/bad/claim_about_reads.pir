; error: 3:29: the annotation says m1, but the operation reads m0
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 1> in m1 = copy %a !r m1
  return
}
