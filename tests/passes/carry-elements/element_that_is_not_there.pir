; Behind a check that never holds stands an element that the array has not.
; pass: carry-elements
; count: empty in loops = 1
; run: @f(0) = 0.0
; run: @f(1) raises IndexError
func @f loop fast (%n: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %never: bool = const false
  %y: array<f64, 1> = empty %two
  store_raw %y, %none, %zero
  store_raw %y, %none, %one
  %last: array<f64, 1>, %sum: f64 = for %zero, %n, %one, %y, %none {
  (%t: i64, %old: array<f64, 1>, %so_far: f64):
    %a: f64 = load_raw %old, %zero
    check[IndexError, "index out of bounds"] %never
    %b: f64 = load_raw %old, %two
    %new: array<f64, 1> = empty %two
    store_raw %new, %a, %zero
    store_raw %new, %b, %one
    continue[0] %new, %b
  }
  return %sum
}
