; When the check fails, the argument must be as it was before: nothing moves past it.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0], [0.0, 0.0]) = [2.0, 4.0]
; run: @f([1.0, -1.0], [0.0, 0.0]) raises ValueError
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %start {
  (%i: i64, %before: f64):
    %x: f64 = load_raw %a, %i
    %after: f64 = add %before, %x
    continue[0] %after
  }
  %holds: bool = ne %sum, %start
  check[ValueError, "nothing there"] %holds
  for %zero, %n, %one {
  (%j: i64):
    %u: f64 = load_raw %a, %j
    %v: f64 = add %u, %u
    store_raw %b, %v, %j
    continue[0]
  }
  return %b
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %2, %4, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: f64 = add %8, %9
    continue[0] %10
  }
  %11: bool = ne %6, %5
  check[ValueError, "nothing there"] %11
  for %3, %2, %4 !r m0 !w m1 {
  (%12: i64):
    %13: f64 = load_raw %0, %12 !r m0
    %14: f64 = add %13, %13
    store_raw %1, %14, %12 !w m1
    continue[0]
  }
  return %1
}
