; error: there are 1 regions where 0 belong (rule 13)
func @f array (%a: array<f64, 1>, %i: i64) -> () {
  %0: i64 = neg %i {
    raise[ValueError]
  }
  return
}
