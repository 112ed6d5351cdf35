; Two places load elements, which are made of one addition.
; pass: forward
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = [6.0, 12.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %z: f64 = add %x, %x
    store_raw %t, %z, %i
    continue[0]
  }
  %m: i64 = sub %n, %one
  %r: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %k: i64 = add %j, %one
    %u: f64 = load_raw %t, %k
    %w: f64 = load_raw %t, %j
    %v: f64 = add %u, %w
    store_raw %r, %v, %j
    continue[0]
  }
  return %r
}
