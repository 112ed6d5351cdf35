; What the loop leaves is asked for, of an array of the function's own.
; pass: carry-elements
; count: empty in loops = 0
; run: @f(3) = [8.0, 13.0]
; run: @f(0) = [0.0, 1.0]
func @f loop fast (%n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %first: f64 = const 1.0
  %y: array<f64, 1> = empty %two
  store_raw %y, %none, %zero
  store_raw %y, %first, %one
  %last: array<f64, 1> = for %zero, %n, %one, %y {
  (%t: i64, %old: array<f64, 1>):
    %a: f64 = load_raw %old, %zero
    %b: f64 = load_raw %old, %one
    %c: f64 = add %a, %b
    %d: f64 = add %b, %c
    %new: array<f64, 1> = empty %two
    store_raw %new, %c, %zero
    store_raw %new, %d, %one
    continue[0] %new
  }
  return %last
}
; ---- after
func @f loop fast (%0: i64) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: f64 = const 0.0
  %5: f64 = const 1.0
  %6: array<f64, 1> in m0 = empty %3
  store_raw %6, %4, %1 !w m0
  store_raw %6, %5, %2 !w m0
  %7: i64 = const 0
  %8: f64 = load_raw %6, %7 !r m0
  %9: i64 = const 1
  %10: f64 = load_raw %6, %9 !r m0
  %11: f64, %12: f64 = for %1, %0, %2, %8, %10 {
  (%13: i64, %14: f64, %15: f64):
    %16: f64 = add %14, %15
    %17: f64 = add %15, %16
    continue[0] %16, %17
  }
  %18: i64 = const 2
  %19: array<f64, 1> in m1 = empty %18
  %20: i64 = const 0
  store_raw %19, %11, %20 !w m1
  %21: i64 = const 1
  store_raw %19, %12, %21 !w m1
  return %19
}
