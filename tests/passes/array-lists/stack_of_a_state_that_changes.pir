; All names are of one array, which the next step writes to.
; pass: array-lists
; count: list_new = 1
; run: @f(3, 0) = 32
; run: @f(3, 2) = 32
func @f loop fast (%n: i64, %k: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %ten: i64 = const 10
  %first: array<i64, 1> = empty %two
  store_raw %first, %one, %zero
  store_raw %first, %two, %one
  %stack: list<array<i64, 1>> = list_new
  list_append %stack, %first
  %last: array<i64, 1> = for %zero, %n, %one, %first {
  (%i: i64, %state: array<i64, 1>):
    for %zero, %two, %one {
    (%j: i64):
      %x: i64 = load_raw %state, %j
      %y: i64 = add %x, %ten
      store_raw %state, %y, %j
      continue[0]
    }
    list_append %stack, %state
    continue[0] %state
  }
  %r: array<i64, 1> = list_get %stack, %k
  %v: i64 = load_raw %r, %one
  return %v
}
