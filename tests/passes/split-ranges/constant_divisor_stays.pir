; (i + 1) % 3 goes round many times, too.
; pass: split-ranges
; count: for = 1
; run: @f(7) = 7
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %sum: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %before: i64):
    %next: i64 = add %i, %one
    %r: i64 = mod %next, %three
    %after: i64 = add %before, %r
    continue[0] %after
  }
  return %sum
}
