; Items are taken off in front: which one an index means changes with each.
; pass: array-lists
; count: list_append = 1
; count: list_drop_front = 1
; run: @f(4) = 3
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %l: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    list_append %l, %i
    continue[0]
  }
  list_drop_front %l, %two
  %second: i64 = list_get %l, %one
  return %second
}
