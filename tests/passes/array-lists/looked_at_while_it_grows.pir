; Where it is looked at, its length is counted; the error is the list's.
; pass: array-lists
; count: list_get = 0
; run: @f(4, -1) = [3, 6, 12, 24, 48]
; run: @f(4, 0) = [3, 6, 6, 6, 6]
; run: @f(-2, 7) = [3]
; run: @f(1, -2) raises IndexError
; run: @f(1, 1) raises IndexError
func @f loop fast (%n: i64, %at: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %l: list<i64> = list_new %three
  for %zero, %n, %one {
  (%i: i64):
    %last: i64 = list_get %l, %at
    %twice: i64 = add %last, %last
    list_append %l, %twice
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
  return %a
}
