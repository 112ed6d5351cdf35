; Each iteration appends what the loop within does, and one more.
; pass: array-lists
; count: list_append = 0
; run: @f(2, 3) = 10
; run: @f(2, 0) = 6
; run: @f(2, -5) = 6
; run: @f(0, 3) = 2
; run: @f(-4611686018427387904, 4611686018427387904) = 2
func @f loop fast (%n: i64, %m: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %l: list<i64> = list_new %zero
  for %zero, %n, %one {
  (%i: i64):
    for %one, %m, %one {
    (%j: i64):
      list_append %l, %j
      continue[0]
    }
    list_append %l, %i
    list_append %l, %i
    continue[0]
  }
  list_append %l, %one
  %k: i64 = list_len %l
  return %k
}
