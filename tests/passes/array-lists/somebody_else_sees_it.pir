; What is returned is a list.
; pass: array-lists
; count: list_append = 1
func @f loop fast (%n: i64) -> (list<i64>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %l: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    list_append %l, %i
    continue[0]
  }
  return %l
}
