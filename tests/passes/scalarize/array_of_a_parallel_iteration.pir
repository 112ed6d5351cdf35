; What an iteration of a parallel loop makes and writes for itself becomes numbers.
; pass: scalarize
; count: zeros = 0
; run: @f([2.0, 4.0]) = 2.0, [4.0, 16.0]
func @f loop fast (%a: array<f64, 1>) -> (f64, array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %t: array<f64, 1> = zeros %two
  %x: f64 = load_raw %a, %zero
  store_raw %t, %x, %zero
  pfor %zero, %n, %one {
  (%i: i64):
    %own: array<f64, 1> = zeros %one
    %z: f64 = load_raw %a, %i
    store_raw %own, %z, %zero
    %w: f64 = load_raw %own, %zero
    %s: f64 = mul %z, %w
    store_raw %a, %s, %i
    continue[0]
  }
  %y: f64 = load_raw %t, %zero
  return %y, %a
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 0.0
  %6: f64 = load_raw %0, %2 !r m0
  pfor %2, %1, %3 !r m0 !w m0 {
  (%7: i64):
    %8: f64 = const 0.0
    %9: f64 = load_raw %0, %7 !r m0
    %10: f64 = mul %9, %9
    store_raw %0, %10, %7 !w m0
    continue[0]
  }
  return %6, %0
}
