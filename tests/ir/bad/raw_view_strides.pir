; error: as many strides as dims belong here (rule 7)
func @f loop (%a: array<f64, 1>, %i: i64) -> () {
  %0: array<f64, 1> = raw_view %a, %i, %i
  return
}
