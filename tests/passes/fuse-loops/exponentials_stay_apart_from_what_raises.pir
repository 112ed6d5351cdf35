; Beside a check exponentials would lose their vectors.
; pass: fuse-loops
; count: for = 2
; run: @f([0.0, 0.0]) = [1.0, 1.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %b: array<f64, 1> = zeros %n
  %c: array<f64, 1> = zeros %n
  %none: f64 = const 0.0
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %good: bool = ge %x, %none
    check[ValueError, "negative"] %good
    %y: f64 = mul %x, %two
    store_raw %b, %y, %i
    continue[0]
  }
  for %zero, %n, %one {
  (%j: i64):
    %u: f64 = load_raw %b, %j
    %v: f64 = exp %u
    store_raw %c, %v, %j
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  %5: array<f64, 1> in m1 = zeros %1
  %6: array<f64, 1> in m2 = zeros %1
  %7: f64 = const 0.0
  for %2, %1, %3 !r m0 !w m1 {
  (%8: i64):
    %9: f64 = load_raw %0, %8 !r m0
    %10: bool = ge %9, %7
    check[ValueError, "negative"] %10
    %11: f64 = mul %9, %4
    store_raw %5, %11, %8 !w m1
    continue[0]
  }
  for %2, %1, %3 !r m1 !w m2 {
  (%12: i64):
    %13: f64 = load_raw %5, %12 !r m1
    %14: f64 = exp %13
    store_raw %6, %14, %12 !w m2
    continue[0]
  }
  return %6
}
