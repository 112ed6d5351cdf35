; The length may be negative, or there may be no room, which raises only if the loop runs.
; pass: hoist-arrays
; count: raw_view in loops = 1
; count: empty in loops = 1
; count: empty = 2
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
  %7: i64 = const 64
  %8: array<f64, 1> in m1 = empty %7
  %9: f64 = for %4, %1, %5, %6 !r m0|m1|m2 !w m1|m2 {
  (%10: i64, %11: f64):
    %12: i64 = const 0
    %13: bool = le %12, %2
    %14: bool = le %2, %7
    %15: bool = and %13, %14
    %16: array<f64, 1> in m1|m2 = if %15 {
      %17: i64 = const 8
      %18: i64 = const 0
      %19: array<f64, 1> in m1 = raw_view %8, %18, %2, %17
      yield %19
    } else {
      %20: array<f64, 1> in m2 = empty %2
      yield %20
    }
    %21: f64 = load_raw %0, %10 !r m0
    store_raw %16, %21, %4 !w m1|m2
    %22: f64 = load_raw %16, %4 !r m1|m2
    %23: f64 = add %11, %22
    continue[0] %23
  }
  return %9
}
