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
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: array<f64, 1> in m2 = zeros %4
  for %3, %4, %3 !r m0|m1|m2 !w m2 {
  (%6: i64):
    %7: i64 = sub %6, %3
    %8: f64 = load_raw %5, %7 !r m2
    %9: f64 = load_raw %0, %6 !r m0
    %10: f64 = load_raw %0, %7 !r m0
    %11: f64 = min %9, %10
    %12: f64 = min %11, %8
    %13: f64 = load_raw %1, %6 !r m1
    %14: f64 = add %12, %13
    store_raw %5, %14, %6 !w m2
    continue[0]
  }
  return %5
}
