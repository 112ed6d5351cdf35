; error: slot1 is not among the 1 of the frame (rule 11)
func @f loop slots=1 () -> () {
  disown[slot1]
  return
}
