; error: `iota` is not defined for bool (rule 10)
func @f array (%b: bool, %i: i64) -> () {
  %0: array<bool, 1> = iota %b, %b, %i
  return
}
