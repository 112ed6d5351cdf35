; What the first loop does not change and does not give moves before it.
; pass: fuse-loops
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = [2.0, 4.0, 8.0], [4.0, 16.0, 64.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>, array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %b: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %two
    store_raw %b, %y, %i
    continue[0]
  }
  %m: i64 = dim[0] %b
  %c: array<f64, 1> = empty %m
  for %zero, %n, %one {
  (%j: i64):
    %u: f64 = load_raw %b, %j
    %v: f64 = mul %u, %u
    store_raw %c, %v, %j
    continue[0]
  }
  return %b, %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  %5: array<f64, 1> in m1 = empty %1
  %6: i64 = dim[0] %5
  %7: array<f64, 1> in m2 = empty %6
  for %2, %1, %3 !r m0|m1 !w m1|m2 {
  (%8: i64):
    %9: f64 = load_raw %0, %8 !r m0
    %10: f64 = mul %9, %4
    store_raw %5, %10, %8 !w m1
    %11: f64 = load_raw %5, %8 !r m1
    %12: f64 = mul %11, %11
    store_raw %7, %12, %8 !w m2
    continue[0]
  }
  return %5, %7
}
