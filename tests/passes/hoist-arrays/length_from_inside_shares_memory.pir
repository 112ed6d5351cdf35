; Each iteration has another length: a few elements are in memory that was there before.
; pass: hoist-arrays
; count: raw_view in loops = 1
; count: empty in loops = 1
; count: empty = 2
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
  %6: i64 = const 64
  %7: array<f64, 1> in m1 = empty %6
  %8: f64 = for %3, %1, %4, %5 !r m0|m1|m2 !w m1|m2 {
  (%9: i64, %10: f64):
    %11: i64 = add %9, %4
    %12: i64 = const 0
    %13: bool = le %12, %11
    %14: bool = le %11, %6
    %15: bool = and %13, %14
    %16: array<f64, 1> in m1|m2 = if %15 {
      %17: i64 = const 8
      %18: i64 = const 0
      %19: array<f64, 1> in m1 = raw_view %7, %18, %11, %17
      yield %19
    } else {
      %20: array<f64, 1> in m2 = empty %11
      yield %20
    }
    %21: f64 = load_raw %0, %9 !r m0
    store_raw %16, %21, %3 !w m1|m2
    %22: f64 = load_raw %16, %3 !r m1|m2
    %23: f64 = add %10, %22
    continue[0] %23
  }
  return %8
}
