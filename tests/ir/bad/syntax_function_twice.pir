; error: 6:6: there is a function `@f` already
func @f array () -> () {
  return
}

func @f array () -> () {
  return
}
