; error: a segment goes from one element of an array, as `v0`, to another
func @f array (%a: array<f64, 1>, %b: array<i64, 1>, %i: i64) -> () {
  pfor[| sliced read [v1[i] .. v0[i + 1]], invariant] %i, %i, %i, %a, %b {
  (%1: i64):
    continue[0]
  }
  return
}
