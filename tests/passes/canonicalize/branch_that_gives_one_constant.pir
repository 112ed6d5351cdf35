; Both ways give the same, and do nothing.
; pass: canonicalize
; count: if = 1
; run: @f(3) = false, 3
; run: @f(1) = false, 2
func @f loop (%x: i64) -> (bool, i64) {
  %one: i64 = const 1
  %two: i64 = const 2
  %c: bool = eq %x, %one
  %a: bool = if %c {
    %p: bool = const false
    yield %p
  } else {
    %q: bool = const false
    yield %q
  }
  %b: i64 = if %c {
    yield %two
  } else {
    yield %x
  }
  return %a, %b
}
