; The list grows when the loop has had it.
; pass: array-lists
; count: list_append = 1
; run: @f(3) = 1, 1
; run: @f(0) = 1, 1
func @f loop fast (%times: i64) -> (i64, i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %first: list<i64> = list_new
  %end: list<i64> = for %zero, %times, %one, %first {
  (%t: i64, %before: list<i64>):
    continue[0] %before
  }
  list_append %first, %one
  %many: i64 = list_len %end
  %own: i64 = list_len %first
  return %many, %own
}
