; The next iteration needs it beside its own.
; pass: hoist-arrays
; count: empty in loops = 1
; count: raw_view = 0
; run: @f([1.0, 2.0, 4.0], 2) = 4.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %first: array<f64, 1> = zeros %k
  %last: array<f64, 1> = for %zero, %n, %one, %first {
  (%i: i64, %p: array<f64, 1>):
    %t: array<f64, 1> = empty %k
    %x: f64 = load_raw %a, %i
    store_raw %t, %x, %zero
    continue[0] %t
  }
  %y: f64 = load_raw %last, %zero
  return %y
}
