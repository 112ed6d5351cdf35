; The difference of the ends may be more than an int64 is: a length that no memory has.
; pass: array-lists
; count: list_append = 0
; run: @f(3, 7) = 4
; run: @f(7, 3) = 0
; run: @f(-9223372036854775808, -9223372036854775806) = 2
; run: @f(9223372036854775807, -9223372036854775808) = 0
func @f loop fast (%from: i64, %to: i64) -> (i64) {
  %one: i64 = const 1
  %l: list<i64> = list_new
  for %from, %to, %one {
  (%i: i64):
    list_append %l, %i
    continue[0]
  }
  %m: i64 = list_len %l
  return %m
}
