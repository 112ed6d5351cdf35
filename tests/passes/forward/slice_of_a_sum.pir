; The slice needs some of the sums, each once: they are computed there.
; pass: forward
; count: for = 1
; count: store_raw = 1
; run: @f([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]) = [14.0, 18.0]
; run: @f([1.0], [4.0]) = []
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = load_raw %b, %i
    %z: f64 = add %x, %y
    store_raw %t, %z, %i
    continue[0]
  }
  %m: i64 = sub %n, %one
  %r: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %k: i64 = add %j, %one
    %u: f64 = load_raw %t, %k
    %v: f64 = mul %u, %two
    store_raw %r, %v, %j
    continue[0]
  }
  return %r
}
