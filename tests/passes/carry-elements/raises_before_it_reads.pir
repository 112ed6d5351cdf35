; An iteration may raise before it reads: the array may not have so many elements.
; pass: carry-elements
; count: empty in loops = 1
; run: @f([1.0, 2.0], 3) = 4.0
; run: @f([1.0], 3) raises IndexError
func @f loop fast (%y: array<f64, 1>, %n: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %last: array<f64, 1>, %sum: f64 = for %zero, %n, %one, %y, %none {
  (%t: i64, %old: array<f64, 1>, %so_far: f64):
    %a: f64 = load_raw %old, %zero
    %length: i64 = dim[0] %y
    %there: bool = lt %one, %length
    check[IndexError, "index out of bounds"] %there
    %b: f64 = load_raw %old, %one
    %new: array<f64, 1> = empty %two
    store_raw %new, %b, %zero
    store_raw %new, %a, %one
    %more: f64 = add %so_far, %a
    continue[0] %new, %more
  }
  return %sum
}
