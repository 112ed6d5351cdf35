; Each array has a length of its own.
; pass: array-lists
; count: list_new = 1
; run: @f(4) = 6
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %stack: list<array<i64, 1>> = list_new
  for %zero, %n, %one {
  (%k: i64):
    %row: array<i64, 1> = zeros %k
    list_append %stack, %row
    continue[0]
  }
  %all: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %sum: i64):
    %r: array<i64, 1> = list_get %stack, %i
    %width: i64 = dim[0] %r
    %more: i64 = add %sum, %width
    continue[0] %more
  }
  return %all
}
