; error: the operation before always ends normally (rule 18)
func @f array () -> () {
  %0: i64 = const 1
  unreachable
}
