; If the first loop raises, nothing of the second one has been done, which the caller would see.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 4.0], [0.0, 0.0, 0.0]) = [4.0, 6.0, 10.0]
; run: @f([1.0, -2.0], [0.0, 0.0]) raises ValueError
func @f loop fast (%a: array<f64, 1>, %c: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %b: array<f64, 1> = zeros %n
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
    %v: f64 = add %u, %two
    store_raw %c, %v, %j
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 2.0
  %6: array<f64, 1> in m2 = zeros %2
  %7: f64 = const 0.0
  for %3, %2, %4 !r m0 !w m2 {
  (%8: i64):
    %9: f64 = load_raw %0, %8 !r m0
    %10: bool = ge %9, %7
    check[ValueError, "negative"] %10
    %11: f64 = mul %9, %5
    store_raw %6, %11, %8 !w m2
    continue[0]
  }
  for %3, %2, %4 !r m2 !w m1 {
  (%12: i64):
    %13: f64 = load_raw %6, %12 !r m2
    %14: f64 = add %13, %5
    store_raw %1, %14, %12 !w m1
    continue[0]
  }
  return %1
}
