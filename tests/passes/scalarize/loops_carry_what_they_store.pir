; The loop stores one of two elements, which it carries; the other one goes on as it is.
; pass: scalarize
; count: store_raw = 0
; run: @f([1.0, 2.0, 4.0]) = 14.0
; run: @f([]) = 0.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %factor: f64 = const 2.0
  %t: array<f64, 1> = zeros %two
  store_raw %t, %factor, %one
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %old: f64 = load_raw %t, %zero
    %by: f64 = load_raw %t, %one
    %y: f64 = mul %x, %by
    %new: f64 = add %old, %y
    store_raw %t, %new, %zero
    continue[0]
  }
  %sum: f64 = load_raw %t, %zero
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 2.0
  %6: f64 = const 0.0
  %7: f64 = for %2, %1, %3, %6 !r m0 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: f64 = mul %10, %5
    %12: f64 = add %9, %11
    continue[0] %12
  }
  return %7
}
