; error: the constant is no f64 (rule 12)
func @f array () -> () {
  %0: f64 = const 1
  return
}
