; What rounding takes away is found in this order alone (Neumaier, 1974).
; pass: carried-last
; run: @f([1.0, 1e100, 1.0, -1e100]) = 2.0
func @f loop fast (%x: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %n: i64 = dim[0] %x
  %r: f64, %more: f64 = for %zero, %n, %one, %start, %start {
  (%i: i64, %s: f64, %c: f64):
    %a: f64 = load_raw %x, %i
    %t: f64 = add %s, %a
    %size: f64 = abs %s
    %other: f64 = abs %a
    %larger: bool = ge %size, %other
    %big: f64 = select %larger, %s, %a
    %small: f64 = select %larger, %a, %s
    %d: f64 = sub %big, %t
    %e: f64 = add %d, %small
    %next: f64 = add %c, %e
    continue[0] %t, %next
  }
  %sum: f64 = add %r, %more
  return %sum
}
