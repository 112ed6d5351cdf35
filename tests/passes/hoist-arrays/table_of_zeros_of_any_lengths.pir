; Both lengths are looked at, and how many elements there are.
; pass: hoist-arrays
; count: raw_view in loops = 1
; count: zeros in loops = 1
; count: empty in loops = 0
; run: @f([1.0, 2.0, 4.0], 2, 3) = 7.0
; run: @f([1.0, 2.0, 4.0], 9, 8) = 7.0
; run: @f([1.0, 2.0, 4.0], 1, 100) = 7.0
; run: @f([], -1, -1) = 0.0
; run: @f([1.0], -1, -1) raises ValueError
; run: @f([1.0], 2, -1) raises ValueError
func @f loop fast (%a: array<f64, 1>, %k: i64, %r: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %none {
  (%i: i64, %p: f64):
    %t: array<f64, 2> = zeros %k, %r
    %x: f64 = load_raw %a, %i
    %before: f64 = load_raw %t, %zero, %one
    store_raw %t, %x, %zero, %one
    %y: f64 = load_raw %t, %zero, %one
    %z: f64 = add %before, %y
    %q: f64 = add %p, %z
    continue[0] %q
  }
  return %sum
}
