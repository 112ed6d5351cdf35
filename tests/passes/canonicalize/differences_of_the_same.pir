; Integers wrap, so what is added and taken away again is gone; of two equal ones either is meant.
; pass: canonicalize
; count: sub = 1
; count: add = 2
; count: select = 1
; run: @f(9223372036854775807, 5) = 1, 0, 9223372036854775807, 5, 9223372036854775807, 9
; run: @f(9, 9) = 1, 0, 9, 9, 9, 9
func @f loop (%x: i64, %y: i64) -> (i64, i64, i64, i64, i64, i64) {
  %one: i64 = const 1
  %nine: i64 = const 9
  %next: i64 = add %x, %one
  %a: i64 = sub %next, %x
  %b: i64 = sub %x, %x
  %c: i64 = sub %x, %y
  %d: i64 = add %y, %c
  %e: i64 = add %x, %y
  %g: i64 = sub %e, %x
  %same: bool = eq %x, %y
  %h: i64 = select %same, %y, %x
  %i: i64 = select %same, %x, %nine
  return %a, %b, %d, %g, %h, %i
}
