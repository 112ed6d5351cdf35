; The first negative number ends it.
; pass: array-lists
; count: list_append = 1
; run: @f([1, -2, 3]) = 1
; run: @f([1, 2, 3]) = 3
func @f loop fast (%x: array<i64, 1>) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %x
  %l: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    %v: i64 = load_raw %x, %i
    %p: bool = lt %v, %zero
    if %p {
      break[0]
    } else {
      yield
    }
    list_append %l, %v
    continue[0]
  }
  %m: i64 = list_len %l
  return %m
}
