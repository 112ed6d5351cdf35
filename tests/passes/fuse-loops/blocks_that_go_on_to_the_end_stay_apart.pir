; The loop within goes on from the index of the one around it, but past the block.
; pass: fuse-loops
; count: for = 3
; run: @f([1.0, 2.0, 4.0, 8.0]) = [30.0, 0.0, 24.0, 0.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %start: f64 = const 0.0
  %b: array<f64, 1> = zeros %n
  %c: array<f64, 1> = zeros %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = add %x, %x
    store_raw %b, %y, %i
    continue[0]
  }
  for %zero, %n, %two {
  (%from: i64):
    %sum: f64 = for %from, %n, %one, %start {
    (%j: i64, %before: f64):
      %u: f64 = load_raw %b, %j
      %after: f64 = add %before, %u
      continue[0] %after
    }
    store_raw %c, %sum, %from
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 0.0
  %6: array<f64, 1> in m1 = zeros %1
  %7: array<f64, 1> in m2 = zeros %1
  for %2, %1, %3 !r m0 !w m1 {
  (%8: i64):
    %9: f64 = load_raw %0, %8 !r m0
    %10: f64 = add %9, %9
    store_raw %6, %10, %8 !w m1
    continue[0]
  }
  for %2, %1, %4 !r m1 !w m2 {
  (%11: i64):
    %12: f64 = for %11, %1, %3, %5 !r m1 {
    (%13: i64, %14: f64):
      %15: f64 = load_raw %6, %13 !r m1
      %16: f64 = add %14, %15
      continue[0] %16
    }
    store_raw %7, %12, %11 !w m2
    continue[0]
  }
  return %7
}
