; A copy would cost as much.
; pass: pack-columns
; count: empty = 0
func @f loop fast (%b: array<f64, 2> in m0, %x: array<f64, 1> in m1, %out: array<f64, 1> in m2) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %k: i64 = dim[0] %b
  %m: i64 = dim[1] %b
  for %zero, %m, %one {
  (%j: i64):
    %sum: f64 = for %zero, %k, %one, %none {
    (%q: i64, %s: f64):
      %u: f64 = load_raw %x, %q
      %y: f64 = load_raw %b, %q, %j
      %z: f64 = mul %u, %y
      %t: f64 = add %s, %z
      continue[0] %t
    }
    store_raw %out, %sum, %j
    continue[0]
  }
  return %out
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1, %2: array<f64, 1> in m2) -> (array<f64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: i64 = dim[0] %0
  %7: i64 = dim[1] %0
  for %3, %7, %4 !r m0|m1 !w m2 {
  (%8: i64):
    %9: f64 = for %3, %6, %4, %5 !r m0|m1 {
    (%10: i64, %11: f64):
      %12: f64 = load_raw %1, %10 !r m1
      %13: f64 = load_raw %0, %10, %8 !r m0
      %14: f64 = mul %12, %13
      %15: f64 = add %11, %14
      continue[0] %15
    }
    store_raw %2, %9, %8 !w m2
    continue[0]
  }
  return %2
}
