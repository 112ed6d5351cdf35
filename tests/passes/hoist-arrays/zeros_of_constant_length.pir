; Each iteration writes the few zeros itself.
; pass: hoist-arrays
; count: zeros = 0
; count: empty in loops = 0
; count: for in loops = 1
; run: @f([1.0, 2.0, 4.0], 2) = 3.0
; run: @f([], 0) = 0.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %four: i64 = const 4
  %sum: f64 = for %zero, %k, %one, %none {
  (%i: i64, %p: f64):
    %t: array<f64, 1> = zeros %four
    %x: f64 = load_raw %a, %i
    store_raw %t, %x, %zero
    %y: f64 = load_raw %t, %zero
    %last: f64 = load_raw %t, %one
    %w: f64 = add %y, %last
    %q: f64 = add %p, %w
    continue[0] %q
  }
  return %sum
}
