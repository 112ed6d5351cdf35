; A loop gives one number that becomes narrow and is carried on as it is; another one that it carries is no such number.
; pass: narrow
; run: @f(3, 5) = [1, 1, 0]
func @f array (%n: i64, %wide: i64) -> (array<u8, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %r: array<u8, 1> = zeros %n
  %a: i64, %b: i64 = for %zero, %n, %one, %one, %one {
  (%i: i64, %x: i64, %y: i64):
    %small: u8 = cast %x
    store %r, %small, %i
    %c: i64, %d: i64 = for %zero, %i, %one, %x, %zero {
    (%j: i64, %p: i64, %q: i64):
      %sum: i64 = add %p, %wide
      continue[0] %sum, %one
    }
    continue[0] %y, %d
  }
  return %r
}
