; Somebody keeps an array: it would keep all of them.
; pass: array-lists
; count: list_new = 1
; run: @f(3) = [2, 2]
func @f loop fast (%n: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %stack: list<array<i64, 1>> = list_new
  for %zero, %n, %one {
  (%k: i64):
    %row: array<i64, 1> = empty %two
    for %zero, %two, %one {
    (%l: i64):
      store_raw %row, %k, %l
      continue[0]
    }
    list_append %stack, %row
    continue[0]
  }
  %last: i64 = const -1
  %r: array<i64, 1> = list_get %stack, %last
  return %r
}
