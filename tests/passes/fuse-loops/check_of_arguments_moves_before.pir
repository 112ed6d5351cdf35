; A check between the loops asks for what was known before the first one, which writes what nobody sees if it fails.
; pass: fuse-loops
; count: for = 1
; count: check = 1
; run: @f([1.0, 2.0, 4.0], 3) = [4.0, 6.0, 10.0]
; run: @f([1.0], 2) raises ValueError
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %b: array<f64, 1> = zeros %n
  %c: array<f64, 1> = zeros %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %two
    store_raw %b, %y, %i
    continue[0]
  }
  %same: bool = eq %n, %k
  check[ValueError, "lengths differ"] %same
  for %zero, %n, %one {
  (%j: i64):
    %u: f64 = load_raw %b, %j
    %v: f64 = add %u, %two
    store_raw %c, %v, %j
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 2.0
  %6: array<f64, 1> in m1 = zeros %2
  %7: array<f64, 1> in m2 = zeros %2
  %8: bool = eq %2, %1
  check[ValueError, "lengths differ"] %8
  for %3, %2, %4 !r m0|m1 !w m1|m2 {
  (%9: i64):
    %10: f64 = load_raw %0, %9 !r m0
    %11: f64 = mul %10, %5
    store_raw %6, %11, %9 !w m1
    %12: f64 = load_raw %6, %9 !r m1
    %13: f64 = add %12, %5
    store_raw %7, %13, %9 !w m2
    continue[0]
  }
  return %7
}
