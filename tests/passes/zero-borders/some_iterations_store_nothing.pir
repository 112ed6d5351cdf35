; Where nothing is stored, the zeros stay.
; pass: zero-borders
; count: zeros = 1
; run: @f(3) = [1.0, 1.0, 0.0]
func @f loop fast (%n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %x: f64 = const 1.0
  %limit: i64 = const 2
  %t: array<f64, 1> = zeros %n
  for %zero, %n, %one {
  (%i: i64):
    %few: bool = lt %i, %limit
    if %few {
      store_raw %t, %x, %i
      yield
    } else {
      yield
    }
    continue[0]
  }
  return %t
}
