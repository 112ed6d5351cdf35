; A `continue` in the first loop would leave out what the second one does.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, -2.0, 4.0]) = [4.0, 2.0, 10.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %b: array<f64, 1> = zeros %n
  %c: array<f64, 1> = zeros %n
  %none: f64 = const 0.0
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %bad: bool = lt %x, %none
    if %bad {
      continue[0]
    } else {
      yield
    }
    %y: f64 = mul %x, %two
    store_raw %b, %y, %i
    continue[0]
  }
  for %zero, %n, %one {
  (%j: i64):
    %u: f64 = load_raw %b, %j
    %v: f64 = add %u, %two
    store_raw %c, %v, %j
    continue[0]
  }
  return %c
}
