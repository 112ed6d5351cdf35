; A check needs what the first loop gives; nothing moves past what may raise.
; pass: fuse-loops
; count: for = 2
; count: check = 1
; run: @f([1.0, 2.0]) = 3.0, 2.0
; run: @f([1.0, -1.0]) raises ValueError
func @f loop fast (%a: array<f64, 1>) -> (f64, f64) {
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
  %most: f64 = for %zero, %n, %one, %start {
  (%j: i64, %so_far: f64):
    %y: f64 = load_raw %a, %j
    %more: f64 = max %so_far, %y
    continue[0] %more
  }
  return %sum, %most
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = for %2, %1, %3, %4 !r m0 {
  (%6: i64, %7: f64):
    %8: f64 = load_raw %0, %6 !r m0
    %9: f64 = add %7, %8
    continue[0] %9
  }
  %10: bool = ne %5, %4
  check[ValueError, "nothing there"] %10
  %11: f64 = for %2, %1, %3, %4 !r m0 {
  (%12: i64, %13: f64):
    %14: f64 = load_raw %0, %12 !r m0
    %15: f64 = max %13, %14
    continue[0] %15
  }
  return %5, %11
}
