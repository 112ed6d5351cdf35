; error: should be an array is none (rule 8)
func @f array (%x: f64) -> () {
  %0: array<f64, 0> = map %x {
  (%e: f64):
    yield %e
  }
  return
}
