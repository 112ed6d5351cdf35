; An element of another iteration, which the first loop may not have looked at by then, is read behind all checks.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 4.0], 3) = [6.0, 6.0, 9.0]
; run: @f([1.0, 2.0, 4.0], 4) raises IndexError
func @f loop fast (%a: array<f64, 1>, %n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %length: i64 = dim[0] %a
  %b: array<f64, 1> = empty %n
  %c: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %good: bool = lt %i, %length
    check[IndexError, "too large"] %good
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %two
    store_raw %b, %y, %i
    continue[0]
  }
  %last: i64 = sub %n, %one
  for %zero, %n, %one {
  (%j: i64):
    %p: i64 = sub %last, %j
    %u: f64 = load_raw %b, %j
    %v: f64 = load_raw %a, %p
    %w: f64 = add %u, %v
    store_raw %c, %w, %j
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  %5: i64 = dim[0] %0
  %6: array<f64, 1> in m1 = empty %1
  %7: array<f64, 1> in m2 = empty %1
  for %2, %1, %3 !r m0 !w m1 {
  (%8: i64):
    %9: bool = lt %8, %5
    check[IndexError, "too large"] %9
    %10: f64 = load_raw %0, %8 !r m0
    %11: f64 = mul %10, %4
    store_raw %6, %11, %8 !w m1
    continue[0]
  }
  %12: i64 = sub %1, %3
  for %2, %1, %3 !r m0|m1 !w m2 {
  (%13: i64):
    %14: i64 = sub %12, %13
    %15: f64 = load_raw %6, %13 !r m1
    %16: f64 = load_raw %0, %14 !r m0
    %17: f64 = add %15, %16
    store_raw %7, %17, %13 !w m2
    continue[0]
  }
  return %7
}
