; error: the constant is no i8 (rule 12)
func @f array () -> () {
  %0: i8 = const 128
  return
}
