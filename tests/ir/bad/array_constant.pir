; error: the constant is no array<i64, 1> (rule 12)
func @f array () -> () {
  %0: array<i64, 1> = const 1
  return
}
