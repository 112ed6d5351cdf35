; The second loop reads what the first one stores in another iteration, here a later one.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 4.0]) = [1.0, 2.5, 5.25], [10.5, 5.0, 2.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>, array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %half: f64 = const 0.5
  %b: array<f64, 1> = empty %n
  %c: array<f64, 1> = empty %n
  %last: f64 = for %zero, %n, %one, %start {
  (%i: i64, %before: f64):
    %x: f64 = load_raw %a, %i
    %less: f64 = mul %before, %half
    %after: f64 = add %less, %x
    store_raw %b, %after, %i
    continue[0] %after
  }
  for %zero, %n, %one {
  (%j: i64):
    %m: i64 = sub %n, %one
    %k: i64 = sub %m, %j
    %u: f64 = load_raw %b, %k
    %v: f64 = add %u, %u
    store_raw %c, %v, %j
    continue[0]
  }
  return %b, %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = const 0.5
  %6: array<f64, 1> in m1 = empty %1
  %7: array<f64, 1> in m2 = empty %1
  %8: f64 = for %2, %1, %3, %4 !r m0 !w m1 {
  (%9: i64, %10: f64):
    %11: f64 = load_raw %0, %9 !r m0
    %12: f64 = mul %10, %5
    %13: f64 = add %12, %11
    store_raw %6, %13, %9 !w m1
    continue[0] %13
  }
  for %2, %1, %3 !r m1 !w m2 {
  (%14: i64):
    %15: i64 = sub %1, %3
    %16: i64 = sub %15, %14
    %17: f64 = load_raw %6, %16 !r m1
    %18: f64 = add %17, %17
    store_raw %7, %18, %14 !w m2
    continue[0]
  }
  return %6, %7
}
