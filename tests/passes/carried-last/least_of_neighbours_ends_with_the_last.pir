; What the step before gave is compared with the least of the others.
; pass: carried-last
; count: min in loops = 2
; run: @f([3.0, 1.0, 2.0, 5.0], [1.0, 2.0, 0.5, 0.25]) = [0.0, 2.0, 1.5, 1.75]
; run: @f([3.0, nan, 2.0, 5.0], [1.0, 2.0, 0.5, 0.25]) = [0.0, nan, nan, nan]
; run: @f([], []) = []
func @f loop fast (%u: array<f64, 1>, %c: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %u
  %y: array<f64, 1> = zeros %n
  for %one, %n, %one {
  (%i: i64):
    %j: i64 = sub %i, %one
    %last: f64 = load_raw %y, %j
    %up: f64 = load_raw %u, %i
    %across: f64 = load_raw %u, %j
    %p: f64 = min %last, %up
    %q: f64 = min %p, %across
    %d: f64 = load_raw %c, %i
    %s: f64 = add %q, %d
    store_raw %y, %s, %i
    continue[0]
  }
  return %y
}
