; So they do behind where the loop ends.
; pass: zero-borders
; count: zeros = 1
; run: @f(4) = [1.0, 1.0, 1.0, 0.0]
func @f loop fast (%n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %x: f64 = const 1.0
  %limit: i64 = const 2
  %t: array<f64, 1> = zeros %n
  for %zero, %n, %one {
  (%i: i64):
    store_raw %t, %x, %i
    %last: bool = eq %i, %limit
    if %last {
      break[0]
    } else {
      yield
    }
    continue[0]
  }
  return %t
}
