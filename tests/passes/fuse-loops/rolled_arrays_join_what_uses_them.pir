; The loops that move elements are joined with the one that uses them, not with the loop over squares of the same array.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0, 4.0]) = [10.0, 21.0, 4.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %square: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %s: f64 = mul %x, %x
    store_raw %square, %s, %i
    continue[0]
  }
  %left: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %jn: i64 = add %j, %one
    %jm: i64 = mod %jn, %n
    %y: f64 = load_raw %a, %jm
    store_raw %left, %y, %j
    continue[0]
  }
  %right: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%k: i64):
    %kn: i64 = sub %k, %one
    %km: i64 = mod %kn, %n
    %z: f64 = load_raw %a, %km
    store_raw %right, %z, %k
    continue[0]
  }
  %sum: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%l: i64):
    %p: f64 = load_raw %left, %l
    %q: f64 = load_raw %right, %l
    %ln: i64 = add %l, %one
    %lm: i64 = mod %ln, %n
    %t: f64 = load_raw %square, %lm
    %pq: f64 = add %p, %q
    %r: f64 = add %pq, %t
    store_raw %sum, %r, %l
    continue[0]
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: array<f64, 1> in m1 = empty %3
  for %1, %3, %2 !r m0 !w m1 {
  (%5: i64):
    %6: f64 = load_raw %0, %5 !r m0
    %7: f64 = mul %6, %6
    store_raw %4, %7, %5 !w m1
    continue[0]
  }
  %8: array<f64, 1> in m2 = empty %3
  %9: array<f64, 1> in m3 = empty %3
  %10: array<f64, 1> in m4 = empty %3
  for %1, %3, %2 !r m0|m1|m2|m3 !w m2|m3|m4 {
  (%11: i64):
    %12: i64 = sub %11, %2
    %13: i64 = mod %12, %3
    %14: f64 = load_raw %0, %13 !r m0
    store_raw %9, %14, %11 !w m3
    %15: i64 = add %11, %2
    %16: i64 = mod %15, %3
    %17: f64 = load_raw %0, %16 !r m0
    store_raw %8, %17, %11 !w m2
    %18: f64 = load_raw %8, %11 !r m2
    %19: f64 = load_raw %9, %11 !r m3
    %20: f64 = load_raw %4, %16 !r m1
    %21: f64 = add %18, %19
    %22: f64 = add %21, %20
    store_raw %10, %22, %11 !w m4
    continue[0]
  }
  return %10
}
