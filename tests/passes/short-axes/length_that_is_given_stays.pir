; The number of coordinates is an argument of its own.
; pass: short-axes
; count: for = 3
; run: @f([[1.0, 2.0], [3.0, 5.0]], 2) = [[0.0, 13.0], [13.0, 0.0]]
func @f loop fast (%p: array<f64, 2>, %g: i64) -> (array<f64, 2>) {
  %n: i64 = dim[0] %p
  %k: i64 = max %g, %g
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %d: array<f64, 2> = empty %n, %n
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %n, %one {
    (%j: i64):
      %sum: f64 = for %zero, %k, %one, %none {
      (%c: i64, %s: f64):
        %x: f64 = load_raw %p, %i, %c
        %y: f64 = load_raw %p, %j, %c
        %z: f64 = sub %x, %y
        %q: f64 = mul %z, %z
        %t: f64 = add %s, %q
        continue[0] %t
      }
      store_raw %d, %sum, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %d
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: i64) -> (array<f64, 2>) {
  %2: i64 = dim[0] %0
  %3: i64 = max %1, %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: array<f64, 2> in m1 = empty %2, %2
  for %4, %2, %5 !r m0 !w m1 {
  (%8: i64):
    for %4, %2, %5 !r m0 !w m1 {
    (%9: i64):
      %10: f64 = for %4, %3, %5, %6 !r m0 {
      (%11: i64, %12: f64):
        %13: f64 = load_raw %0, %8, %11 !r m0
        %14: f64 = load_raw %0, %9, %11 !r m0
        %15: f64 = sub %13, %14
        %16: f64 = mul %15, %15
        %17: f64 = add %12, %16
        continue[0] %17
      }
      store_raw %7, %10, %8, %9 !w m1
      continue[0]
    }
    continue[0]
  }
  return %7
}
