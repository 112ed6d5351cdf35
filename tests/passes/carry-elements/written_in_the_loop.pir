; The loop writes to what it starts from.
; pass: carry-elements
; count: empty in loops = 1
; run: @f([1.0, 2.0], 2) = 1.0
func @f loop fast (%y: array<f64, 1>, %n: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %ten: f64 = const 10.0
  %last: array<f64, 1>, %sum: f64 = for %zero, %n, %one, %y, %none {
  (%t: i64, %old: array<f64, 1>, %so_far: f64):
    %a: f64 = load_raw %old, %zero
    store_raw %y, %ten, %one
    %b: f64 = load_raw %old, %one
    %new: array<f64, 1> = empty %two
    %c: f64 = add %a, %b
    store_raw %new, %c, %zero
    store_raw %new, %a, %one
    continue[0] %new, %b
  }
  return %sum
}
