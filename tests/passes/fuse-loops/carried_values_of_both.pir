; Several reductions of one array take one walk over memory.
; pass: fuse-loops
; count: for = 1
; run: @f([1.0, -2.0, 4.0]) = 3.0, 4.0, -2.0
; run: @f([]) = 0.0, 0.0, 0.0
func @f loop fast (%a: array<f64, 1>) -> (f64, f64, f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %start {
  (%i: i64, %p: f64):
    %x: f64 = load_raw %a, %i
    %q: f64 = add %p, %x
    continue[0] %q
  }
  %most: f64 = for %zero, %n, %one, %start {
  (%j: i64, %r: f64):
    %y: f64 = load_raw %a, %j
    %s: f64 = max %r, %y
    continue[0] %s
  }
  %least: f64 = for %zero, %n, %one, %start {
  (%k: i64, %t: f64):
    %z: f64 = load_raw %a, %k
    %u: f64 = min %t, %z
    continue[0] %u
  }
  return %sum, %most, %least
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, f64, f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64, %6: f64, %7: f64 = for %2, %1, %3, %4, %4, %4 !r m0 {
  (%8: i64, %9: f64, %10: f64, %11: f64):
    %12: f64 = load_raw %0, %8 !r m0
    %13: f64 = add %9, %12
    %14: f64 = load_raw %0, %8 !r m0
    %15: f64 = max %10, %14
    %16: f64 = load_raw %0, %8 !r m0
    %17: f64 = min %11, %16
    continue[0] %13, %15, %17
  }
  return %5, %6, %7
}
