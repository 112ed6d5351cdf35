; So does a `continue` of the loop around.
; pass: coalesce
; count: for = 2
; run: @f([[1.0, -2.0, 4.0], [0.5, 0.25, 8.0]]) = [[1.0, 0.0, 0.0], [0.25, 0.0625, 64.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %b: array<f64, 2> = zeros %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %bad: bool = lt %x, %none
      if %bad {
        continue[1]
      } else {
        yield
      }
      %y: f64 = mul %x, %x
      store_raw %b, %y, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %b
}
