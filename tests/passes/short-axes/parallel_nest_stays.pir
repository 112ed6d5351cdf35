; Iterations of a parallel loop are given to threads as one piece of code.
; pass: short-axes
; count: for = 2
; count: pfor = 1
; run: @f([[1.0], [3.0]]) = [[0.0, 4.0], [4.0, 0.0]]
; run: @f([[1.0, 2.0], [3.0, 5.0]]) = [[0.0, 13.0], [13.0, 0.0]]
; run: @f([[1.0, 2.0, 4.0], [3.0, 5.0, 5.0]]) = [[0.0, 14.0], [14.0, 0.0]]
; run: @f([[1.0, 2.0, 4.0, 0.5], [3.0, 5.0, 5.0, 1.0]]) = [[0.0, 14.25], [14.25, 0.0]]
; run: @f([[1.0, 2.0, 4.0, 0.5, 1.0], [3.0, 5.0, 5.0, 1.0, 2.0]]) = [[0.0, 15.25], [15.25, 0.0]]
; run: @f([]) = []
func @f loop fast (%p: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %d: array<f64, 2> = empty %n, %n
  pfor %zero, %n, %one {
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
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 2> in m1 = empty %1, %1
  pfor %3, %1, %4 !r m0 !w m1 {
  (%7: i64):
    for %3, %1, %4 !r m0 !w m1 {
    (%8: i64):
      %9: f64 = for %3, %2, %4, %5 !r m0 {
      (%10: i64, %11: f64):
        %12: f64 = load_raw %0, %7, %10 !r m0
        %13: f64 = load_raw %0, %8, %10 !r m0
        %14: f64 = sub %12, %13
        %15: f64 = mul %14, %14
        %16: f64 = add %11, %15
        continue[0] %16
      }
      store_raw %6, %9, %7, %8 !w m1
      continue[0]
    }
    continue[0]
  }
  return %6
}
