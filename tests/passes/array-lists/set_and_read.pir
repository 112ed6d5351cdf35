; Items change in place, from the end as well.
; pass: array-lists
; count: list_set = 0
; run: @f(3, -1, 9) = 12
; run: @f(3, 2, 9) = 12
; run: @f(3, 3, 9) raises IndexError
; run: @f(0, -1, 9) raises IndexError
func @f loop fast (%n: i64, %at: i64, %v: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %l: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    list_append %l, %i
    continue[0]
  }
  list_set %l, %at, %v
  %m: i64 = list_len %l
  %last: i64 = list_get %l, %at
  %sum: i64 = add %m, %last
  return %sum
}
