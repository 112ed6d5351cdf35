; What the loop carries grows.
; pass: array-lists
; count: list_append = 2
; run: @f(3) = 4
func @f loop fast (%times: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %first: list<i64> = list_new
  list_append %first, %one
  %end: list<i64> = for %zero, %times, %one, %first {
  (%t: i64, %before: list<i64>):
    list_append %before, %t
    continue[0] %before
  }
  %many: i64 = list_len %end
  return %many
}
