; The branch that does nothing is the first one.
; pass: if-convert
; count: if = 0
; run: @f([1.0, 5.0, 3.0], [2.0, 2.0, 2.0]) = [1.0, 2.0, 2.0]
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = load_raw %b, %i
    %less: bool = lt %x, %y
    if %less {
      yield
    } else {
      store_raw %a, %y, %i
      yield
    }
    continue[0]
  }
  return %a
}
