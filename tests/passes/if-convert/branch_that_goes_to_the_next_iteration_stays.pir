; A branch that begins the next iteration leaves out what follows it.
; pass: if-convert
; count: if = 1
; run: @f([1.0, 5.0, 3.0], [2.0, 2.0, 2.0]) = [2.0, 4.0, 4.0]
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %four: f64 = const 4.0
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = load_raw %b, %i
    %less: bool = lt %x, %y
    if %less {
      store_raw %a, %y, %i
      continue[0]
    } else {
      yield
    }
    store_raw %a, %four, %i
    continue[0]
  }
  return %a
}
