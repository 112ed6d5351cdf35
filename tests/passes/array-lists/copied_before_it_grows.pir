; The copy has the items of its time.
; pass: array-lists
; count: list_append = 0
; count: empty = 2
; run: @f(2) = [0, 1]
func @f loop fast (%n: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %l: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    list_append %l, %i
    continue[0]
  }
  %m: i64 = list_len %l
  %a: array<i64, 1> = empty %m
  list_append %l, %n
  for %zero, %m, %one {
  (%j: i64):
    %item: i64 = list_get %l, %j
    store_raw %a, %item, %j
    continue[0]
  }
  return %a
}
