; The second loop uses what the first one sums up.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 4.0]) = [7.0, 14.0, 28.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %b: array<f64, 1> = empty %n
  %sum: f64 = for %zero, %n, %one, %start {
  (%i: i64, %before: f64):
    %x: f64 = load_raw %a, %i
    %after: f64 = add %before, %x
    continue[0] %after
  }
  for %zero, %n, %one {
  (%j: i64):
    %u: f64 = load_raw %a, %j
    %v: f64 = mul %u, %sum
    store_raw %b, %v, %j
    continue[0]
  }
  return %b
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: array<f64, 1> in m1 = empty %1
  %6: f64 = for %2, %1, %3, %4 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: f64 = add %8, %9
    continue[0] %10
  }
  for %2, %1, %3 !r m0 !w m1 {
  (%11: i64):
    %12: f64 = load_raw %0, %11 !r m0
    %13: f64 = mul %12, %6
    store_raw %5, %13, %11 !w m1
    continue[0]
  }
  return %5
}
