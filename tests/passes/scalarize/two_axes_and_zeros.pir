; Elements of a matrix by their row-major position; those that nobody stored are zero.
; pass: scalarize
; count: zeros = 0
; count: store_raw = 0
; run: @f([1.0, 2.0]) = 2.0, 0.0, false
func @f loop fast (%a: array<f64, 1>) -> (f64, f64, bool) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %three: i64 = const 3
  %x: f64 = load_raw %a, %one
  %t: array<f64, 2> = zeros %two, %three
  %flags: array<bool, 1> = zeros %one
  store_raw %t, %x, %one, %two
  %u: f64 = load_raw %t, %one, %two
  %v: f64 = load_raw %t, %zero, %two
  %w: bool = load_raw %flags, %zero
  return %u, %v, %w
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, f64, bool) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: i64 = const 3
  %5: f64 = load_raw %0, %2 !r m0
  %6: f64 = const 0.0
  %7: bool = const false
  return %5, %6, %7
}
