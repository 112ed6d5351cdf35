; A triangle: iterations append more and more.
; pass: array-lists
; count: list_append = 1
; run: @f(4) = 6
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %l: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %i, %one {
    (%j: i64):
      list_append %l, %j
      continue[0]
    }
    continue[0]
  }
  %m: i64 = list_len %l
  return %m
}
