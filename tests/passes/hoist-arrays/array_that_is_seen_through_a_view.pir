; Elements alone are used of its view, too.
; pass: hoist-arrays
; count: empty in loops = 0
; run: @f([1.0, 2.0, 4.0], 2) = 3.0
; run: @f([], 0) = 0.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %k, %one, %none {
  (%i: i64, %p: f64):
    %t: array<f64, 1> = empty %n
    %x: f64 = load_raw %a, %i
    store_raw %t, %x, %zero
    %eight: i64 = const 8
    %v: array<f64, 1> = raw_view %t, %zero, %one, %eight
    store_raw %v, %x, %zero
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
  %6: array<f64, 1> in m1 = empty %2
  %7: f64 = for %3, %1, %4, %5 !r m0|m1 !w m1 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    store_raw %6, %10, %3 !w m1
    %11: i64 = const 8
    %12: array<f64, 1> in m1 = raw_view %6, %3, %4, %11
    store_raw %12, %10, %3 !w m1
    %13: f64 = load_raw %6, %3 !r m1
    %14: f64 = add %9, %13
    continue[0] %14
  }
  return %7
}
