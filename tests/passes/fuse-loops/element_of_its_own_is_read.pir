; The plainest pair: the second loop reads what the same iteration of the first one wrote.
; pass: fuse-loops
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = [4.0, 6.0, 10.0]
; run: @f([]) = []
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
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
    %u: f64 = load_raw %b, %j
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
  for %2, %1, %3 !r m0|m1 !w m1|m2 {
  (%7: i64):
    %8: f64 = load_raw %0, %7 !r m0
    %9: f64 = mul %8, %4
    store_raw %5, %9, %7 !w m1
    %10: f64 = load_raw %5, %7 !r m1
    %11: f64 = add %10, %4
    store_raw %6, %11, %7 !w m2
    continue[0]
  }
  return %6
}
