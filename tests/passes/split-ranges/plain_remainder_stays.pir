; i % k mostly goes round many times.
; pass: split-ranges
; count: for = 1
; run: @f(7, 3) = 6
func @f loop fast (%n: i64, %k: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %sum: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %before: i64):
    %r: i64 = mod %i, %k
    %after: i64 = add %before, %r
    continue[0] %after
  }
  return %sum
}
