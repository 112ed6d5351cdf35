; Items are put in front, so that an index means another one after each.
; pass: array-lists
; count: list_prepend = 1
; run: @f(4) = 2
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %l: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    list_prepend %l, %i
    continue[0]
  }
  %second: i64 = list_get %l, %one
  return %second
}
