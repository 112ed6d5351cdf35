; What is made of the index alone is computed wherever it is needed, in whatever order and however often.
; pass: forward
; count: for = 2
; run: @f([[0, 1], [2, 2]]) = [[7, 9], [9, 10]]
func @f loop fast (%at: array<i64, 2>) -> (array<i64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %seven: i64 = const 7
  %m: i64 = dim[0] %at
  %n: i64 = dim[1] %at
  %first: array<i64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    store_raw %first, %i, %i
    continue[0]
  }
  %out: array<i64, 2> = empty %m, %n
  for %zero, %m, %one {
  (%p: i64):
    for %zero, %n, %one {
    (%j: i64):
      %index: i64 = load_raw %at, %p, %j
      %column: i64 = load_raw %first, %j
      %row: i64 = load_raw %first, %p
      %sum: i64 = add %index, %column
      %more: i64 = add %sum, %seven
      %rest: i64 = sub %row, %row
      %all: i64 = add %more, %rest
      store_raw %out, %all, %p, %j
      continue[0]
    }
    continue[0]
  }
  return %out
}
