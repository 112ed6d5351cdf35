; A state of two numbers, which each step makes anew.
; pass: carry-elements
; count: empty = 0
; count: load_raw in loops = 0
; run: @f([1.0, 2.0], 3) = 32.0
; run: @f([1.0, 2.0], 0) = 0.0
; run: @f([], 0) = 0.0
func @f loop fast (%y: array<f64, 1>, %n: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %last: array<f64, 1>, %sum: f64 = for %zero, %n, %one, %y, %none {
  (%t: i64, %old: array<f64, 1>, %so_far: f64):
    %a: f64 = load_raw %old, %zero
    %b: f64 = load_raw %old, %one
    %c: f64 = add %a, %b
    %d: f64 = add %b, %c
    %new: array<f64, 1> = empty %two
    store_raw %new, %c, %zero
    %back: f64 = load_raw %new, %zero
    store_raw %new, %d, %one
    %more: f64 = add %so_far, %back
    continue[0] %new, %more
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 0.0
  %6: i64 = const 0
  %7: bool = lt %2, %1
  %8: f64 = if %7 !r m0 {
    %9: f64 = load_raw %0, %6 !r m0
    yield %9
  } else {
    %10: f64 = const 0.0
    yield %10
  }
  %11: i64 = const 1
  %12: f64 = if %7 !r m0 {
    %13: f64 = load_raw %0, %11 !r m0
    yield %13
  } else {
    %14: f64 = const 0.0
    yield %14
  }
  %15: f64, %16: f64, %17: f64 = for %2, %1, %3, %5, %8, %12 {
  (%18: i64, %19: f64, %20: f64, %21: f64):
    %22: f64 = add %20, %21
    %23: f64 = add %21, %22
    %24: f64 = add %19, %22
    continue[0] %24, %22, %23
  }
  return %15
}
