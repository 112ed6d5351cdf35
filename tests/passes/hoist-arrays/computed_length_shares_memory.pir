; The length may be negative, which raises only if the loop runs.
; pass: hoist-arrays
; count: empty in loops = 1
; run: @f([1.0, 2.0, 4.0], 2) = 3.0
; run: @f([], 0) = 0.0
; run: @f([1.0], 1) raises ValueError
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %two: i64 = const 2
  %r: i64 = sub %n, %two
  %sum: f64 = for %zero, %k, %one, %none {
  (%i: i64, %p: f64):
    %t: array<f64, 1> = empty %r
    %x: f64 = load_raw %a, %i
    store_raw %t, %x, %zero
    %y: f64 = load_raw %t, %zero
    %q: f64 = add %p, %y
    continue[0] %q
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: i64 = const 2
  %7: i64 = sub %2, %6
  %8: f64 = for %3, %1, %4, %5 !r m0|m1 !w m1 {
  (%9: i64, %10: f64):
    %11: array<f64, 1> in m1 = empty %7
    %12: f64 = load_raw %0, %9 !r m0
    store_raw %11, %12, %3 !w m1
    %13: f64 = load_raw %11, %3 !r m1
    %14: f64 = add %10, %13
    continue[0] %14
  }
  return %8
}
