; error: 3:10: there is no value `%x`
func @f array () -> () {
  return %x
}
