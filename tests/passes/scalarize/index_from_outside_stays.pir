; Which element is stored is known at run time.
; pass: scalarize
; count: zeros = 1
; run: @f([2.0], 1) = 0.0
; run: @f([2.0], 0) = 2.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %t: array<f64, 1> = zeros %two
  %x: f64 = load_raw %a, %zero
  store_raw %t, %x, %k
  %y: f64 = load_raw %t, %zero
  return %y
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = const 2
  %6: array<f64, 1> in m1 = zeros %5
  %7: f64 = load_raw %0, %3 !r m0
  store_raw %6, %7, %1 !w m1
  %8: f64 = load_raw %6, %3 !r m1
  return %8
}
