; An element is read through a view.
; pass: scalarize
; count: zeros = 1
; run: @f([2.0]) = 2.0, 2.0
func @f loop fast (%a: array<f64, 1>) -> (f64, f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %t: array<f64, 1> = zeros %two
  %x: f64 = load_raw %a, %zero
  store_raw %t, %x, %zero
  %eight: i64 = const 8
  %v: array<f64, 1> = raw_view %t, %zero, %two, %eight
  %z: f64 = load_raw %v, %zero
  %y: f64 = load_raw %t, %zero
  return %y, %z
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: array<f64, 1> in m1 = zeros %4
  %6: f64 = load_raw %0, %2 !r m0
  store_raw %5, %6, %2 !w m1
  %7: i64 = const 8
  %8: array<f64, 1> in m1 = raw_view %5, %2, %4, %7
  %9: f64 = load_raw %8, %2 !r m1
  %10: f64 = load_raw %5, %2 !r m1
  return %10, %9
}
