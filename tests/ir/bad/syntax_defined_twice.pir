; error: 4:3: the value is defined twice
func @f array () -> () {
  %0: i64 = const 1
  %0: i64 = const 2
  return
}
