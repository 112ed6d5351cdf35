; A parallel loop that only reads them is given numbers.
; pass: scalarize
; count: zeros = 0
; run: @f([2.0, 4.0]) = 2.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %t: array<f64, 1> = zeros %two
  %x: f64 = load_raw %a, %zero
  store_raw %t, %x, %zero
  pfor %zero, %n, %one {
  (%i: i64):
    %z: f64 = load_raw %t, %zero
    %w: f64 = load_raw %t, %one
    %s: f64 = add %z, %w
    store_raw %a, %s, %i
    continue[0]
  }
  %y: f64 = load_raw %t, %zero
  return %y
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 0.0
  %6: f64 = load_raw %0, %2 !r m0
  pfor %2, %1, %3 !w m0 {
  (%7: i64):
    %8: f64 = add %6, %5
    store_raw %0, %8, %7 !w m0
    continue[0]
  }
  return %6
}
