; Where the loop does not run, the result is the argument.
; pass: carry-elements
; count: empty in loops = 1
; run: @f([1.0, 2.0], 2) = [8.0, 13.0]
; run: @f([1.0, 2.0], 0) = [1.0, 2.0]
func @f loop fast (%y: array<f64, 1>, %n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
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
