; The second loop reads the element that the next iteration of the first one writes.
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
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %two
    store_raw %b, %y, %i
    continue[0]
  }
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
  for %2, %1, %3 !r m0 !w m1 {
  (%8: i64):
    %9: f64 = load_raw %0, %8 !r m0
    %10: f64 = mul %9, %4
    store_raw %5, %10, %8 !w m1
    continue[0]
  }
  for %2, %7, %3 !r m1 !w m2 {
  (%11: i64):
    %12: i64 = add %11, %3
    %13: f64 = load_raw %5, %12 !r m1
    %14: f64 = add %13, %4
    store_raw %6, %14, %11 !w m2
    continue[0]
  }
  return %6
}
