; error: without a terminator behind this (rule 4)
func @f array () -> () {
  %0: i64 = const 1
}
