; What comes first is a store of one element, and not the loop.
; pass: zero-borders
; count: zeros = 1
; run: @f(3) = [1.0, 1.0, 1.0]
func @f loop fast (%n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %x: f64 = const 1.0
  %limit: i64 = const 2
  %t: array<f64, 1> = zeros %n
  store_raw %t, %x, %zero
  for %zero, %n, %one {
  (%i: i64):
    store_raw %t, %x, %i
    continue[0]
  }
  return %t
}
