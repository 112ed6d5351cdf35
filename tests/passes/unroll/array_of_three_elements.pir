; The loop becomes three stores.
; pass: unroll
; count: for = 0
; count: store_raw = 3
; run: @f([1.0, 2.0, 4.0]) = 5.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %three: i64 = const 3
  %t: array<f64, 1> = zeros %three
  for %zero, %three, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %x
    store_raw %t, %y, %i
    continue[0]
  }
  %first: f64 = load_raw %t, %zero
  %second: f64 = load_raw %t, %one
  %sum: f64 = add %first, %second
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 3
  %5: array<f64, 1> in m1 = zeros %4
  %6: i64 = const 0
  %7: f64 = load_raw %0, %6 !r m0
  %8: f64 = mul %7, %7
  store_raw %5, %8, %6 !w m1
  %9: i64 = const 1
  %10: f64 = load_raw %0, %9 !r m0
  %11: f64 = mul %10, %10
  store_raw %5, %11, %9 !w m1
  %12: i64 = const 2
  %13: f64 = load_raw %0, %12 !r m0
  %14: f64 = mul %13, %13
  store_raw %5, %14, %12 !w m1
  %15: f64 = load_raw %5, %1 !r m1
  %16: f64 = load_raw %5, %2 !r m1
  %17: f64 = add %15, %16
  return %17
}
