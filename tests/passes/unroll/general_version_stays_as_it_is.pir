; The version for any arguments stays as small as it is.
; pass: unroll
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = 5.0
func @f loop general (%a: array<f64, 1>) -> (f64) {
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
func @f loop general (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 3
  %5: array<f64, 1> in m1 = zeros %4
  for %1, %4, %2 !r m0 !w m1 {
  (%6: i64):
    %7: f64 = load_raw %0, %6 !r m0
    %8: f64 = mul %7, %7
    store_raw %5, %8, %6 !w m1
    continue[0]
  }
  %9: f64 = load_raw %5, %1 !r m1
  %10: f64 = load_raw %5, %2 !r m1
  %11: f64 = add %9, %10
  return %11
}
