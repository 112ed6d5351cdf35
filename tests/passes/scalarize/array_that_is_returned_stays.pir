; The array is a result.
; pass: scalarize
; count: zeros = 1
; run: @f([2.0]) = 2.0, [2.0, 0.0]
func @f loop fast (%a: array<f64, 1>) -> (f64, array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %t: array<f64, 1> = zeros %two
  %x: f64 = load_raw %a, %zero
  store_raw %t, %x, %zero
  %y: f64 = load_raw %t, %zero
  return %y, %t
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: array<f64, 1> in m1 = zeros %4
  %6: f64 = load_raw %0, %2 !r m0
  store_raw %5, %6, %2 !w m1
  %7: f64 = load_raw %5, %2 !r m1
  return %7, %5
}
