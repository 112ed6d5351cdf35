; They are not written before.
; pass: write-behind
; count: for = 1
; count: empty = 0
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0], [0.0]) = [1.0, 2.0, 4.0, 8.0, 16.0]
func @f loop fast (%u: array<f64, 1> in m0, %v: array<f64, 1> in m1) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %three: i64 = const 3
  %n: i64 = dim[0] %u
  %m: i64 = sub %n, %three
  %t: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%i: i64):
    %k: i64 = add %i, %two
    %l: i64 = add %i, %one
    %p: f64 = load_raw %u, %l
    %q: f64 = load_raw %u, %k
    %s: f64 = sub %q, %p
    store_raw %t, %s, %i
    continue[0]
  }
  for %zero, %m, %one {
  (%j: i64):
      %x: f64 = load_raw %t, %j
      %a: i64 = add %j, %one
      store_raw %u, %x, %a
    continue[0]
  }
  return %u
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: i64 = const 3
  %6: i64 = dim[0] %0
  %7: i64 = sub %6, %5
  for %2, %7, %3 !r m0 !w m0 {
  (%8: i64):
    %9: i64 = add %8, %4
    %10: i64 = add %8, %3
    %11: f64 = load_raw %0, %10 !r m0
    %12: f64 = load_raw %0, %9 !r m0
    %13: f64 = sub %12, %11
    %14: i64 = add %8, %3
    store_raw %0, %13, %14 !w m0
    continue[0]
  }
  return %0
}
