; The divisor is another one in each iteration.
; pass: split-ranges
; count: for = 1
; run: @f(4) = 6
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %sum: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %before: i64):
    %next: i64 = add %i, %one
    %more: i64 = add %next, %one
    %r: i64 = mod %next, %more
    %after: i64 = max %r, %before
    %other: i64 = add %after, %zero
    %last: i64 = add %before, %i
    continue[0] %last
  }
  return %sum
}
