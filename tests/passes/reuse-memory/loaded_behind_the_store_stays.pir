; The one that is loaded before all is stored takes what is stored last; the other stays.
; pass: reuse-memory
; count: empty = 2
; run: @f([1.0, 2.0]) = [3.0, 5.0], [2.0, 4.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %more: f64 = const 1.0
  %n: i64 = dim[0] %a
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = add %x, %x
    store_raw %t, %y, %i
    continue[0]
  }
  %r: array<f64, 1> = empty %n
  %s: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %p: f64 = load_raw %t, %j
    %u: f64 = add %p, %more
    store_raw %r, %u, %j
    %q: f64 = load_raw %t, %j
    store_raw %s, %q, %j
    continue[0]
  }
  return %r, %s
}
