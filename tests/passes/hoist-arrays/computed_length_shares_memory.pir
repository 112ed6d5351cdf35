; The length may be negative, which raises only if the loop runs.
; pass: hoist-arrays
; count: raw_view in loops = 1
; count: empty in loops = 1
; count: empty = 2
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
  %8: i64 = const 64
  %9: array<f64, 1> in m1 = empty %8
  %10: f64 = for %3, %1, %4, %5 !r m0|m1|m2 !w m1|m2 {
  (%11: i64, %12: f64):
    %13: i64 = const 0
    %14: bool = le %13, %7
    %15: bool = le %7, %8
    %16: bool = and %14, %15
    %17: array<f64, 1> in m1|m2 = if %16 {
      %18: i64 = const 8
      %19: i64 = const 0
      %20: array<f64, 1> in m1 = raw_view %9, %19, %7, %18
      yield %20
    } else {
      %21: array<f64, 1> in m2 = empty %7
      yield %21
    }
    %22: f64 = load_raw %0, %11 !r m0
    store_raw %17, %22, %3 !w m1|m2
    %23: f64 = load_raw %17, %3 !r m1|m2
    %24: f64 = add %12, %23
    continue[0] %24
  }
  return %10
}
