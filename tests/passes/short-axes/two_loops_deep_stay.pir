; Rows of a matrix are walked over two loops deep, and may be long.
; pass: short-axes
; count: for = 2
; run: @f([[1.0, 2.0, 4.0], [0.5, 1.0, 2.0]]) = [7.0, 3.5]
func @f loop fast (%p: array<f64, 2>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %d: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %sum: f64 = for %zero, %k, %one, %none {
    (%c: i64, %s: f64):
      %x: f64 = load_raw %p, %i, %c
      %t: f64 = add %s, %x
      continue[0] %t
    }
    store_raw %d, %sum, %i
    continue[0]
  }
  return %d
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 1> in m1 = empty %1
  for %3, %1, %4 !r m0 !w m1 {
  (%7: i64):
    %8: f64 = for %3, %2, %4, %5 !r m0 {
    (%9: i64, %10: f64):
      %11: f64 = load_raw %0, %7, %9 !r m0
      %12: f64 = add %10, %11
      continue[0] %12
    }
    store_raw %6, %8, %7 !w m1
    continue[0]
  }
  return %6
}
