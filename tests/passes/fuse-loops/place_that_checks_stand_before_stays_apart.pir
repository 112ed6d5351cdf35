; What the second loop reads is there since the first one has looked at all indices.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 4.0], [2, -1, 0]) = [4.0, 1.0, 1.0]
; run: @f([1.0, 2.0, 4.0], [2, 3, 0]) raises IndexError
func @f loop fast (%a: array<f64, 1>, %k: array<i64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %k
  %zero: i64 = const 0
  %one: i64 = const 1
  %length: i64 = dim[0] %a
  %b: array<i64, 1> = zeros %n
  %c: array<f64, 1> = zeros %n
  for %zero, %n, %one {
  (%i: i64):
    %x: i64 = load_raw %k, %i
    %good: bool = lt %x, %length
    check[IndexError, "too large"] %good
    %y: i64 = max %x, %zero
    store_raw %b, %y, %i
    continue[0]
  }
  for %zero, %n, %one {
  (%j: i64):
    %p: i64 = load_raw %b, %j
    %u: f64 = load_raw %a, %p
    store_raw %c, %u, %j
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<i64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %1
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %0
  %6: array<i64, 1> in m2 = zeros %2
  %7: array<f64, 1> in m3 = zeros %2
  for %3, %2, %4 !r m1 !w m2 {
  (%8: i64):
    %9: i64 = load_raw %1, %8 !r m1
    %10: bool = lt %9, %5
    check[IndexError, "too large"] %10
    %11: i64 = max %9, %3
    store_raw %6, %11, %8 !w m2
    continue[0]
  }
  for %3, %2, %4 !r m0|m2 !w m3 {
  (%12: i64):
    %13: i64 = load_raw %6, %12 !r m2
    %14: f64 = load_raw %0, %13 !r m0
    store_raw %7, %14, %12 !w m3
    continue[0]
  }
  return %7
}
