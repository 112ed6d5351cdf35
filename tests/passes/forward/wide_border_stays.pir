; Many iterations would test for the border.
; pass: forward
; count: zeros = 1
; count: if = 0
; run: @f([1.0, 2.0, 3.0, 4.0]) = [0.0, 0.0, 0.0, 0.0]
; run: @f([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) = [0.0, 0.0, 0.0, 0.0, 0.0, 3.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %before: i64 = const 5
  %all: i64 = const 5
  %m: i64 = sub %n, %all
  %t: array<f64, 1> = zeros %n
  for %zero, %m, %one {
  (%i: i64):
    %k: i64 = add %i, %two
    %x: f64 = load_raw %a, %i
    %y: f64 = load_raw %a, %k
    %xy: f64 = mul %x, %y
    %at: i64 = add %i, %before
    store_raw %t, %xy, %at
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
