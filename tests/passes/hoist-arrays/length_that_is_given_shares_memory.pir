; So may a length that is an argument.
; pass: hoist-arrays
; count: empty in loops = 1
; run: @f([1.0, 2.0], 2, 3) = 3.0
; run: @f([1.0, 2.0], 0, -3) = 0.0
; run: @f([1.0, 2.0], 1, -3) raises ValueError
func @f loop fast (%a: array<f64, 1>, %k: i64, %r: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
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
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: f64 = for %4, %1, %5, %6 !r m0|m1 !w m1 {
  (%8: i64, %9: f64):
    %10: array<f64, 1> in m1 = empty %2
    %11: f64 = load_raw %0, %8 !r m0
    store_raw %10, %11, %4 !w m1
    %12: f64 = load_raw %10, %4 !r m1
    %13: f64 = add %9, %12
    continue[0] %13
  }
  return %7
}
