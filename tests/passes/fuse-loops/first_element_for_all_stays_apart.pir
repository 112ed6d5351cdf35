; All iterations of the second loop read one element, which is only written once; it is not known when.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 4.0], 2) = [10.0, 10.0, 10.0]
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
  for %zero, %n, %one {
  (%j: i64):
    %u: f64 = load_raw %b, %k
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
  for %3, %2, %4 !r m0 !w m1 {
  (%8: i64):
    %9: f64 = load_raw %0, %8 !r m0
    %10: f64 = mul %9, %5
    store_raw %6, %10, %8 !w m1
    continue[0]
  }
  for %3, %2, %4 !r m1 !w m2 {
  (%11: i64):
    %12: f64 = load_raw %6, %1 !r m1
    %13: f64 = add %12, %5
    store_raw %7, %13, %11 !w m2
    continue[0]
  }
  return %7
}
