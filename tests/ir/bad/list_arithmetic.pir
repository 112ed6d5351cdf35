; error: should be a scalar or an array (rule 8)
func @f array (%l: list<i64>) -> () {
  %0: list<i64> = neg %l
  return
}
