; error: operand 1 is not defined here (rule 5)
func @f array () -> () {
  %0: i64 = neg %1
  %1: i64 = const 1
  return
}
