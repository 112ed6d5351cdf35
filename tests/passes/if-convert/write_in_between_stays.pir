; The element may have changed since it was loaded.
; pass: if-convert
; count: if = 1
; run: @f([1.0, 5.0, 3.0]) = [2.0, 6.0, 4.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %more: f64 = const 1.0
  %least: f64 = const 0.0
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = add %x, %more
    store_raw %a, %y, %i
    %less: bool = lt %x, %least
    if %less {
      store_raw %a, %least, %i
      yield
    } else {
      yield
    }
    continue[0]
  }
  return %a
}
