; The loop that fills the inner part reads it, too.
; pass: forward
; count: zeros = 1
; run: @f([1.0, 2.0, 3.0]) = [0.0, 2.0, 3.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %m: i64 = sub %n, %one
  %t: array<f64, 1> = zeros %n
  for %zero, %m, %one {
  (%i: i64):
    %at: i64 = add %i, %one
    %old: f64 = load_raw %t, %at
    %x: f64 = load_raw %a, %at
    %y: f64 = add %old, %x
    store_raw %t, %y, %at
    continue[0]
  }
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %p: f64 = load_raw %t, %j
    store_raw %r, %p, %j
    continue[0]
  }
  return %r
}
