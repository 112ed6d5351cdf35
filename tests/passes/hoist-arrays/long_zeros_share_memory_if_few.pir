; To write many zeros may cost more than to take memory that has them.
; pass: hoist-arrays
; count: zeros in loops = 1
; count: raw_view in loops = 1
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
  %6: i64 = const 64
  %7: array<f64, 1> in m1 = empty %6
  %8: f64 = for %3, %1, %4, %5 !r m0|m1|m2 !w m1|m2 {
  (%9: i64, %10: f64):
    %11: i64 = const 0
    %12: bool = le %11, %2
    %13: bool = le %2, %6
    %14: bool = and %12, %13
    %15: array<f64, 1> in m1|m2 = if %14 !w m1 {
      %16: i64 = const 0
      %17: i64 = const 1
      for %16, %2, %17 !w m1 {
      (%18: i64):
        %19: f64 = const 0.0
        store_raw %7, %19, %18 !w m1
        continue[0]
      }
      %20: i64 = const 8
      %21: i64 = const 0
      %22: array<f64, 1> in m1 = raw_view %7, %21, %2, %20
      yield %22
    } else {
      %23: array<f64, 1> in m2 = zeros %2
      yield %23
    }
    %24: f64 = load_raw %0, %9 !r m0
    store_raw %15, %24, %3 !w m1|m2
    %25: f64 = load_raw %15, %3 !r m1|m2
    %26: f64 = add %10, %25
    continue[0] %26
  }
  return %8
}
