; Two axes of one array.
; pass: array-lists
; count: list_new = 0
; count: empty = 1
; run: @f(3, 4, 1, 3) = 7
; run: @f(3, 4, -1, -1) = 8
; run: @f(3, 0, 2, 0) = 2
; run: @f(3, 4, 3, 0) raises IndexError
; run: @f(3, 4, 0, 4) raises IndexError
; run: @f(0, 4, 0, 0) raises IndexError
func @f loop fast (%n: i64, %m: i64, %i: i64, %j: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %table: list<list<i64>> = list_new
  for %zero, %n, %one {
  (%k: i64):
    %row: list<i64> = list_new %k
    for %one, %m, %one {
    (%l: i64):
      %place: i64 = sub %l, %one
      %x: i64 = list_get %row, %place
      %y: i64 = add %x, %l
      list_append %row, %y
      continue[0]
    }
    list_append %table, %row
    continue[0]
  }
  %r: list<i64> = list_get %table, %i
  %v: i64 = list_get %r, %j
  list_set %r, %zero, %v
  %w: i64 = list_get %r, %zero
  return %w
}
