; Two places load elements that take long to make.
; pass: forward
; count: for = 2
; count: exp = 1
; run: @f([0.0, 0.0, 0.0]) = [0.0, 0.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = exp %x
    store_raw %t, %y, %i
    continue[0]
  }
  %m: i64 = sub %n, %one
  %r: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %k: i64 = add %j, %one
    %p: f64 = load_raw %t, %k
    %q: f64 = load_raw %t, %j
    %d: f64 = sub %p, %q
    store_raw %r, %d, %j
    continue[0]
  }
  return %r
}
