; Where the loop does not run, what it leaves is what it starts from, which changes behind it.
; pass: carry-elements
; count: empty in loops = 1
; run: @f(0) = [9.0, 1.0]
; run: @f(1) = [1.0, 0.0]
func @f loop fast (%n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %first: f64 = const 1.0
  %nine: f64 = const 9.0
  %y: array<f64, 1> = empty %two
  store_raw %y, %none, %zero
  store_raw %y, %first, %one
  %last: array<f64, 1> = for %zero, %n, %one, %y {
  (%t: i64, %old: array<f64, 1>):
    %a: f64 = load_raw %old, %zero
    %b: f64 = load_raw %old, %one
    %new: array<f64, 1> = empty %two
    store_raw %new, %b, %zero
    store_raw %new, %a, %one
    continue[0] %new
  }
  store_raw %y, %nine, %zero
  return %last
}
