; error: 3:3: there is no operation `frobnicate`
func @f array () -> () {
  frobnicate
}
