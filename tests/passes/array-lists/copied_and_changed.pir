; The list is read behind the copy, which somebody changes: both stay.
; pass: array-lists
; count: list_append = 0
; count: empty = 2
; run: @f(3) = [7, 1, 2]
; run: @f(0) raises IndexError
func @f loop fast (%n: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %seven: i64 = const 7
  %l: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    list_append %l, %i
    continue[0]
  }
  %m: i64 = list_len %l
  %a: array<i64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %item: i64 = list_get %l, %j
    store_raw %a, %item, %j
    continue[0]
  }
  %first: i64 = list_get %l, %zero
  %changed: i64 = add %first, %seven
  store_raw %a, %changed, %zero
  return %a
}
