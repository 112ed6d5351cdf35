; error: an operand is i64 and should be f64 (rule 8)
func @f array (%l: list<f64>, %n: i64) -> () {
  list_prepend %l, %n
  return
}
