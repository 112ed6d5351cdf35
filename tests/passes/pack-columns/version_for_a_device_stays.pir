; A device has no memory for a copy.
; pass: pack-columns
; count: empty = 0
func @f loop fast device (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1, %out: array<f64, 2> in m2) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %m: i64 = dim[0] %a
  %n: i64 = dim[0] %b
  for %zero, %m, %one {
  (%i: i64):
    for %zero, %n, %one {
    (%j: i64):
      %p: f64 = load_raw %a, %i, %zero
      %q: f64 = load_raw %b, %j, %zero
      %r: f64 = load_raw %b, %j, %one
      %d: f64 = sub %p, %q
      %s: f64 = add %d, %r
      store_raw %out, %s, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %out
}
; ---- after
func @f loop fast device (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1, %2: array<f64, 2> in m2) -> (array<f64, 2>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %0
  %6: i64 = dim[0] %1
  for %3, %5, %4 !r m0|m1 !w m2 {
  (%7: i64):
    for %3, %6, %4 !r m0|m1 !w m2 {
    (%8: i64):
      %9: f64 = load_raw %0, %7, %3 !r m0
      %10: f64 = load_raw %1, %8, %3 !r m1
      %11: f64 = load_raw %1, %8, %4 !r m1
      %12: f64 = sub %9, %10
      %13: f64 = add %12, %11
      store_raw %2, %13, %7, %8 !w m2
      continue[0]
    }
    continue[0]
  }
  return %2
}
