; error: there are too few operands (rule 7)
func @f array () -> () {
  %0: i64 = const 1
  %1: i64 = for %0, %0 {
  (%2: i64):
    continue[0]
  }
  return
}
