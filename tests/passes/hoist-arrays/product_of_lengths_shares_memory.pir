; Of a million rows of a million elements there may be no room; of a few elements there is.
; pass: hoist-arrays
; count: raw_view in loops = 1
; count: empty in loops = 1
; count: empty = 2
; run: @f([1.0, 2.0, 4.0], 2) = 3.0
; run: @f([], 0) = 0.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %k, %one, %none {
  (%i: i64, %p: f64):
    %t: array<f64, 2> = empty %n, %n
    %x: f64 = load_raw %a, %i
    store_raw %t, %x, %zero, %zero
    %y: f64 = load_raw %t, %zero, %zero
    %q: f64 = add %p, %y
    continue[0] %q
  }
  return %sum
}
