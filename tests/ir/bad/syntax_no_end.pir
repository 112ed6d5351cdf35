; error: `}` was expected, not the end of the text
func @f array () -> () {
  return
