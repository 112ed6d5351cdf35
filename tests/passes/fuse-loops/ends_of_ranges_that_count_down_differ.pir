; Counting down, the greater of an end and 0 is another end.
; pass: fuse-loops
; count: for = 2
; run: @f(2) = [0, 0, 0, 2, 2, 2, 2, 2, 2, 2]
; run: @f(-1) = [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]
func @f loop fast (%n: i64) -> (array<i64, 1>) {
  %nine: i64 = const 9
  %zero: i64 = const 0
  %one: i64 = const 1
  %back: i64 = const -1
  %ten: i64 = const 10
  %a: array<i64, 1> = zeros %ten
  %end: i64 = max %n, %zero
  for %nine, %n, %back {
  (%i: i64):
    store_raw %a, %one, %i
    continue[0]
  }
  for %nine, %end, %back {
  (%j: i64):
    %x: i64 = load_raw %a, %j
    %y: i64 = add %x, %one
    store_raw %a, %y, %j
    continue[0]
  }
  return %a
}
