; error: an operand is f64 and should be i64 (rule 8)
func @f array (%l: list<f64>, %n: f64) -> () {
  list_drop_front %l, %n
  return
}
