; Of what is last, of what all comes from the iteration before, of integers and of a row that is not the one before in this loop, nothing is moved.
; pass: carried-last
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1, 2]) = [[1.0, 5.0], [3.0, 14.0]], 6, 0.0
func @f loop fast (%x: array<f64, 2>, %k: array<i64, 1>) -> (array<f64, 2>, i64, f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %start: f64 = const 0.0
  %r: i64, %w: f64 = for %one, %two, %one, %zero, %start {
  (%j: i64, %s: i64, %u: f64):
    %before: i64 = sub %j, %one
    %a: f64 = load_raw %x, %zero, %j
    %b: f64 = load_raw %x, %one, %j
    %c: f64 = load_raw %x, %zero, %before
    %ac: f64 = add %a, %a
    %last: f64 = add %ac, %c
    store_raw %x, %last, %zero, %j
    %p: f64 = load_raw %x, %zero, %j
    %q: f64 = add %p, %p
    %sum: f64 = add %q, %b
    store_raw %x, %sum, %one, %j
    %m: i64 = load_raw %k, %zero
    %t: i64 = add %s, %m
    %mm: i64 = load_raw %k, %one
    %tt: i64 = add %t, %mm
    %ttt: i64 = add %tt, %m
    %more: i64 = add %ttt, %mm
    %uu: f64 = add %u, %u
    %uuu: f64 = add %uu, %u
    continue[0] %more, %uuu
  }
  return %x, %r, %w
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<i64, 1> in m1) -> (array<f64, 2>, i64, f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 0.0
  %6: i64, %7: f64 = for %3, %4, %3, %2, %5 !r m0|m1 !w m0 {
  (%8: i64, %9: i64, %10: f64):
    %11: i64 = sub %8, %3
    %12: f64 = load_raw %0, %2, %8 !r m0
    %13: f64 = load_raw %0, %3, %8 !r m0
    %14: f64 = load_raw %0, %2, %11 !r m0
    %15: f64 = add %12, %12
    %16: f64 = add %15, %14
    store_raw %0, %16, %2, %8 !w m0
    %17: f64 = load_raw %0, %2, %8 !r m0
    %18: f64 = add %17, %17
    %19: f64 = add %18, %13
    store_raw %0, %19, %3, %8 !w m0
    %20: i64 = load_raw %1, %2 !r m1
    %21: i64 = add %9, %20
    %22: i64 = load_raw %1, %3 !r m1
    %23: i64 = add %21, %22
    %24: i64 = add %23, %20
    %25: i64 = add %24, %22
    %26: f64 = add %10, %10
    %27: f64 = add %26, %10
    continue[0] %25, %27
  }
  return %0, %6, %7
}
