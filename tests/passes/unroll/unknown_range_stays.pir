; It is not known how often the loop runs.
; pass: unroll
; count: for = 1
; run: @f([1.0, 2.0, 4.0], 2) = 5.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %three: i64 = const 3
  %t: array<f64, 1> = zeros %three
  for %zero, %k, %one {
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
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = const 3
  %6: array<f64, 1> in m1 = zeros %5
  for %2, %1, %3 !r m0 !w m1 {
  (%7: i64):
    %8: f64 = load_raw %0, %7 !r m0
    %9: f64 = mul %8, %8
    store_raw %6, %9, %7 !w m1
    continue[0]
  }
  %10: f64 = load_raw %6, %2 !r m1
  %11: f64 = load_raw %6, %3 !r m1
  %12: f64 = add %10, %11
  return %12
}
