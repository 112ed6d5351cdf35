; Over one range as well, the element after is one that a later iteration writes.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 4.0]) = [6.0, 10.0, 0.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %b: array<f64, 1> = zeros %n
  %c: array<f64, 1> = zeros %n
  %last: i64 = sub %n, %one
  for %zero, %last, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %two
    store_raw %b, %y, %i
    continue[0]
  }
  %end: f64 = load_raw %a, %last
  %twice: f64 = mul %end, %two
  store_raw %b, %twice, %last
  for %zero, %last, %one {
  (%j: i64):
    %next: i64 = add %j, %one
    %u: f64 = load_raw %b, %next
    %v: f64 = add %u, %two
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
  %7: i64 = sub %1, %3
  for %2, %7, %3 !r m0 !w m1 {
  (%8: i64):
    %9: f64 = load_raw %0, %8 !r m0
    %10: f64 = mul %9, %4
    store_raw %5, %10, %8 !w m1
    continue[0]
  }
  %11: f64 = load_raw %0, %7 !r m0
  %12: f64 = mul %11, %4
  store_raw %5, %12, %7 !w m1
  for %2, %7, %3 !r m1 !w m2 {
  (%13: i64):
    %14: i64 = add %13, %3
    %15: f64 = load_raw %5, %14 !r m1
    %16: f64 = add %15, %4
    store_raw %6, %16, %13 !w m2
    continue[0]
  }
  return %6
}
