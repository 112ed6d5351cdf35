; error: 3:8: there is no function `@g`
func @f array () -> () {
  call[@g]
  return
}
