; What seldom runs is not made more of.
; pass: short-axes
; count: for = 3
; run: @f([[1.0, 2.0], [3.0, 5.0]], false) = [[0.0, 13.0], [13.0, 0.0]]
; run: @f([[1.0], [3.0]], true) = []
func @f loop fast (%p: array<f64, 2>, %none_wanted: bool) -> (array<f64, 2>) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  if %none_wanted {
    %e: array<f64, 2> = empty %zero, %zero
    return %e
  } else cold {
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
  unreachable
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: bool) -> (array<f64, 2>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  if %1 !r m0 !w m2 {
    %7: array<f64, 2> in m1 = empty %4, %4
    return %7
  } else cold {
    %8: array<f64, 2> in m2 = empty %2, %2
    for %4, %2, %5 !r m0 !w m2 {
    (%9: i64):
      for %4, %2, %5 !r m0 !w m2 {
      (%10: i64):
        %11: f64 = for %4, %3, %5, %6 !r m0 {
        (%12: i64, %13: f64):
          %14: f64 = load_raw %0, %9, %12 !r m0
          %15: f64 = load_raw %0, %10, %12 !r m0
          %16: f64 = sub %14, %15
          %17: f64 = mul %16, %16
          %18: f64 = add %13, %17
          continue[0] %18
        }
        store_raw %8, %11, %9, %10 !w m2
        continue[0]
      }
      continue[0]
    }
    return %8
  }
  unreachable
}
