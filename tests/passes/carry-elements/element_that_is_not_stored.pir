; One element is stored by a branch alone.
; pass: carry-elements
; count: empty in loops = 1
func @f loop fast (%y: array<f64, 1>, %n: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %last: array<f64, 1>, %sum: f64 = for %zero, %n, %one, %y, %none {
  (%t: i64, %old: array<f64, 1>, %so_far: f64):
    %a: f64 = load_raw %old, %zero
    %b: f64 = load_raw %old, %one
    %new: array<f64, 1> = empty %two
    store_raw %new, %b, %zero
    %even: bool = lt %t, %two
    if %even {
      store_raw %new, %a, %one
      yield
    } else {
      store_raw %new, %b, %one
      yield
    }
    %more: f64 = add %so_far, %a
    continue[0] %new, %more
  }
  return %sum
}
