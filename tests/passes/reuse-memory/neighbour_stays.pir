; An iteration needs what the one before would have written over.
; pass: reuse-memory
; count: empty = 2
; run: @f([1.0, 2.0, 4.0]) = [2.0, 6.0, 12.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
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
  for %zero, %n, %one {
  (%j: i64):
    %k: i64 = sub %j, %one
    %before: i64 = max %k, %zero
    %p: f64 = load_raw %t, %j
    %first: bool = eq %j, %zero
    %q: f64 = load_raw %t, %before
    %none: f64 = const 0.0
    %s: f64 = select %first, %none, %q
    %u: f64 = add %p, %s
    store_raw %r, %u, %j
    continue[0]
  }
  return %r
}
