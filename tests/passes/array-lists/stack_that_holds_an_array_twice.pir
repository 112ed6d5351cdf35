; One array stands in two places.
; pass: array-lists
; count: list_new = 1
; run: @f(2) = 5
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %five: i64 = const 5
  %stack: list<array<i64, 1>> = list_new
  for %zero, %n, %one {
  (%k: i64):
    %row: array<i64, 1> = zeros %one
    list_append %stack, %row
    list_append %stack, %row
    continue[0]
  }
  %a: array<i64, 1> = list_get %stack, %zero
  store_raw %a, %five, %zero
  %b: array<i64, 1> = list_get %stack, %one
  %v: i64 = load_raw %b, %zero
  return %v
}
