; error: `max` is not defined for c128 (rule 10)
func @f array (%a: array<c128, 1>) -> () {
  %0: c128 = reduce[max] %a
  return
}
