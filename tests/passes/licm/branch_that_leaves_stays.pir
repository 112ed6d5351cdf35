; What is computed before it ends the loop comes first.
; pass: licm
; count: if in loops = 1
; run: @f(true, 3) = 0
; run: @f(false, 3) = 3
func @f array fast (%stops: bool, %n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %r: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %sum: i64):
    if %stops {
      break[0] %sum
    } else {
      yield
    }
    %next: i64 = add %sum, %one
    continue[0] %next
  }
  return %r
}
