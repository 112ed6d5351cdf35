; The sum that is subtracted is an element that this iteration stored.
; pass: carried-last
; run: @f([0.0, 1.0, 1e16, 1.0, 1.0, -1e16, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]) = 3.0
func @f loop fast (%x: array<f64, 1>, %s: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %n: i64 = dim[0] %x
  %last: i64 = sub %n, %one
  %more: f64 = for %one, %n, %one, %start {
  (%i: i64, %c: f64):
    %a: f64 = load_raw %x, %i
    %before: i64 = sub %i, %one
    %b: f64 = load_raw %s, %before
    %t: f64 = add %b, %a
    store_raw %s, %t, %i
    %u: f64 = load_raw %s, %i
    %v: f64 = load_raw %s, %before
    %d: f64 = sub %v, %u
    %e: f64 = add %c, %d
    %next: f64 = add %e, %a
    continue[0] %next
  }
  %r: f64 = load_raw %s, %last
  %sum: f64 = add %r, %more
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = dim[0] %0
  %6: i64 = sub %5, %3
  %7: f64 = for %3, %5, %3, %4 !r m0|m1 !w m1 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: i64 = sub %8, %3
    %12: f64 = load_raw %1, %11 !r m1
    %13: f64 = add %12, %10
    store_raw %1, %13, %8 !w m1
    %14: f64 = load_raw %1, %8 !r m1
    %15: f64 = load_raw %1, %11 !r m1
    %16: f64 = sub %15, %14
    %17: f64 = add %9, %16
    %18: f64 = add %17, %10
    continue[0] %18
  }
  %19: f64 = load_raw %1, %6 !r m1
  %20: f64 = add %19, %7
  return %20
}
