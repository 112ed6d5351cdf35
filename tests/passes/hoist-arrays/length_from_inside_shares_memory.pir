; Each iteration has another length.
; pass: hoist-arrays
; count: empty in loops = 1
; run: @f([1.0, 2.0, 4.0], 2) = 3.0
; run: @f([], 0) = 0.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %k, %one, %none {
  (%i: i64, %p: f64):
    %r: i64 = add %i, %one
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
  %6: f64 = for %3, %1, %4, %5 !r m0|m1 !w m1 {
  (%7: i64, %8: f64):
    %9: i64 = add %7, %4
    %10: array<f64, 1> in m1 = empty %9
    %11: f64 = load_raw %0, %7 !r m0
    store_raw %10, %11, %3 !w m1
    %12: f64 = load_raw %10, %3 !r m1
    %13: f64 = add %8, %12
    continue[0] %13
  }
  return %6
}
