; What is read before the loop that fills the inner part is zero.
; pass: forward
; count: zeros = 1
; run: @f([1.0, 2.0, 3.0]) = [2.0, 4.0, 6.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 1> = zeros %n
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %p: f64 = load_raw %t, %j
    %x: f64 = load_raw %a, %j
    %y: f64 = add %p, %x
    store_raw %r, %y, %j
    continue[0]
  }
  for %zero, %n, %one {
  (%i: i64):
    %xi: f64 = load_raw %a, %i
    store_raw %t, %xi, %i
    continue[0]
  }
  for %zero, %n, %one {
  (%k: i64):
    %pk: f64 = load_raw %t, %k
    %xk: f64 = load_raw %r, %k
    %yk: f64 = add %pk, %xk
    store_raw %r, %yk, %k
    continue[0]
  }
  return %r
}
