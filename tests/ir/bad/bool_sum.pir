; error: `add` is not defined for bool (rule 10)
func @f array (%b: bool) -> () {
  %0: bool = add %b, %b
  return
}
