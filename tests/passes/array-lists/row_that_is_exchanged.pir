; A row of the table is put in the place of another one.
; pass: array-lists
; count: list_append = 2
; run: @f(3, 4, 1, 3) = 6
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
  %other: list<i64> = list_get %table, %zero
  list_set %table, %i, %other
  %again: list<i64> = list_get %table, %i
  %v: i64 = list_get %again, %j
  list_set %r, %zero, %v
  %w: i64 = list_get %r, %zero
  return %w
}
