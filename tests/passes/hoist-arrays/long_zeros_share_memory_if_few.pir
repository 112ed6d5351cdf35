; Each iteration has to begin with zeros.
; pass: hoist-arrays
; count: zeros in loops = 1
; run: @f([1.0, 2.0, 4.0], 2) = 3.0
; run: @f([], 0) = 0.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %k, %one, %none {
  (%i: i64, %p: f64):
    %t: array<f64, 1> = zeros %n
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
    %9: array<f64, 1> in m1 = zeros %2
    %10: f64 = load_raw %0, %7 !r m0
    store_raw %9, %10, %3 !w m1
    %11: f64 = load_raw %9, %3 !r m1
    %12: f64 = add %8, %11
    continue[0] %12
  }
  return %6
}
