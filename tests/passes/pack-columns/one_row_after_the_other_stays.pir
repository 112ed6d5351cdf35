; A loop alone goes down the columns once.
; pass: pack-columns
; count: empty = 0
func @f loop fast (%b: array<f64, 2> in m0, %out: array<f64, 1> in m1) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %b
  for %zero, %n, %one {
  (%j: i64):
    %q: f64 = load_raw %b, %j, %zero
    %r: f64 = load_raw %b, %j, %one
    %s: f64 = add %q, %r
    store_raw %out, %s, %j
    continue[0]
  }
  return %out
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  for %2, %4, %3 !r m0 !w m1 {
  (%5: i64):
    %6: f64 = load_raw %0, %5, %2 !r m0
    %7: f64 = load_raw %0, %5, %3 !r m0
    %8: f64 = add %6, %7
    store_raw %1, %8, %5 !w m1
    continue[0]
  }
  return %1
}
