; Each has vectors of its own; together an iteration would add to an element of the one before.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 3.0], [10.0, 20.0, 30.0]) = [21.0, 42.0, 23.0]
; run: @f([1.0], [10.0]) = [1.0]
; run: @f([], []) = []
func @f loop fast (%t: array<f64, 1>, %x: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %t
  %m: i64 = sub %n, %one
  for %zero, %m, %one {
  (%i: i64):
    %p: i64 = add %i, %one
    %a: f64 = load_raw %t, %p
    %b: f64 = load_raw %x, %i
    %c: f64 = add %a, %b
    store_raw %t, %c, %p
    continue[0]
  }
  for %zero, %m, %one {
  (%j: i64):
    %q: i64 = add %j, %one
    %d: f64 = load_raw %t, %j
    %e: f64 = load_raw %x, %q
    %g: f64 = add %d, %e
    store_raw %t, %g, %j
    continue[0]
  }
  return %t
}
