; error: segments lie between elements of an array of integers, not of array<f64, 1> (rule 22)
func @f array (%a: array<f64, 1>, %b: array<f64, 1>, %i: i64) -> () {
  pfor[| sliced read [v1[i] .. v1[i + 1]], invariant] %i, %i, %i, %a, %b {
  (%1: i64):
    continue[0]
  }
  return
}
