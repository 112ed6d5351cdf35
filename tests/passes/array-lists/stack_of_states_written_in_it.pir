; Somebody writes to the list's array, which the simulation goes on with.
; pass: array-lists
; count: list_new = 1
; run: @f(3) = 5
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %five: i64 = const 5
  %first: array<i64, 1> = zeros %one
  %stack: list<array<i64, 1>> = list_new
  list_append %stack, %first
  %r: array<i64, 1> = list_get %stack, %zero
  store_raw %r, %five, %zero
  %v: i64 = load_raw %first, %zero
  return %v
}
