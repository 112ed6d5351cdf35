; Rows in no order cost as much from columns.
; pass: pack-columns
; count: empty = 0
func @f loop fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1, %out: array<f64, 2> in m2, %x: array<i64, 1> in m3) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %m: i64 = dim[0] %a
  %n: i64 = dim[0] %b
  for %zero, %m, %one {
  (%i: i64):
    for %zero, %n, %one {
    (%j: i64):
      %p: f64 = load_raw %a, %i, %zero
      %k: i64 = load_raw %x, %j
      %q: f64 = load_raw %b, %k, %zero
      %r: f64 = load_raw %b, %k, %one
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
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1, %2: array<f64, 2> in m2, %3: array<i64, 1> in m3) -> (array<f64, 2>) {
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = dim[0] %0
  %7: i64 = dim[0] %1
  for %4, %6, %5 !r m0|m1|m3 !w m2 {
  (%8: i64):
    for %4, %7, %5 !r m0|m1|m3 !w m2 {
    (%9: i64):
      %10: f64 = load_raw %0, %8, %4 !r m0
      %11: i64 = load_raw %3, %9 !r m3
      %12: f64 = load_raw %1, %11, %4 !r m1
      %13: f64 = load_raw %1, %11, %5 !r m1
      %14: f64 = sub %10, %12
      %15: f64 = add %14, %13
      store_raw %2, %15, %8, %9 !w m2
      continue[0]
    }
    continue[0]
  }
  return %2
}
