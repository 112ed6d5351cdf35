; Whose rows are apart is known where the pointers rise, which nobody tests.
; pass: fuse-loops
; count: for = 4
; run: @f(4, [0, 3, 1, 4]) = [1.0, 4.0, 4.0, 3.0]
; run: @f(2, [0, 1, 2]) = [1.0, 2.0]
func @f loop fast (%m: i64, %p: array<i64, 1>) -> (array<f64, 1>) {
  %length: i64 = dim[0] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %more: f64 = const 1.0
  %a: array<f64, 1> = zeros %m
  %n: i64 = sub %length, %one
  for %zero, %n, %one {
  (%i: i64):
    %first: i64 = load_raw %p, %i
    %next: i64 = add %i, %one
    %last: i64 = load_raw %p, %next
    %x: f64 = cast %i
    for %first, %last, %one {
    (%k: i64):
      store_raw %a, %x, %k
      continue[0]
    }
    continue[0]
  }
  for %zero, %n, %one {
  (%j: i64):
    %begin: i64 = load_raw %p, %j
    %following: i64 = add %j, %one
    %end: i64 = load_raw %p, %following
    for %begin, %end, %one {
    (%l: i64):
      %y: f64 = load_raw %a, %l
      %z: f64 = add %y, %more
      store_raw %a, %z, %l
      continue[0]
    }
    continue[0]
  }
  return %a
}
; ---- after
func @f loop fast (%0: i64, %1: array<i64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = dim[0] %1
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1.0
  %6: array<f64, 1> in m1 = zeros %0
  %7: i64 = sub %2, %4
  for %3, %7, %4 !r m0 !w m1 {
  (%8: i64):
    %9: i64 = load_raw %1, %8 !r m0
    %10: i64 = add %8, %4
    %11: i64 = load_raw %1, %10 !r m0
    %12: f64 = cast %8
    for %9, %11, %4 !w m1 {
    (%13: i64):
      store_raw %6, %12, %13 !w m1
      continue[0]
    }
    continue[0]
  }
  for %3, %7, %4 !r m0|m1 !w m1 {
  (%14: i64):
    %15: i64 = load_raw %1, %14 !r m0
    %16: i64 = add %14, %4
    %17: i64 = load_raw %1, %16 !r m0
    for %15, %17, %4 !r m1 !w m1 {
    (%18: i64):
      %19: f64 = load_raw %6, %18 !r m1
      %20: f64 = add %19, %5
      store_raw %6, %20, %18 !w m1
      continue[0]
    }
    continue[0]
  }
  return %6
}
