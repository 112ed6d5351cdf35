; Nobody has looked at the element that is stored.
; pass: if-convert
; count: if = 1
; run: @f([1.0, -5.0, 3.0], [2.0, 2.0, 2.0]) = [1.0, 2.0, 3.0]
func @f loop fast (%b: array<f64, 1>, %a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %least: f64 = const 0.0
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %b, %i
    %more: bool = gt %x, %least
    if %more {
      store_raw %a, %x, %i
      yield
    } else {
      yield
    }
    continue[0]
  }
  return %a
}
