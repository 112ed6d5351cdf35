; A sum goes in blocks of 4096; the map before it is cut into such blocks, and both are one loop within.
; pass: fuse-loops
; count: for = 2
; count: for in loops = 1
; count: load_raw in loops = 2
; run: @f([1.0, 2.0, 4.0]) = [2.0, 4.0, 8.0], 14.0
; run: @f([]) = [], 0.0
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>, f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %two: f64 = const 2.0
  %b: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %two
    store_raw %b, %y, %i
    continue[0]
  }
  %block: i64 = const 4096
  %sum: f64 = for %zero, %n, %block, %start {
  (%from: i64, %total: f64):
    %left: i64 = sub %n, %from
    %count: i64 = min %left, %block
    %to: i64 = add %from, %count
    %part: f64 = for %from, %to, %one, %start {
    (%j: i64, %before: f64):
      %z: f64 = load_raw %b, %j
      %after: f64 = add %before, %z
      continue[0] %after
    }
    %next: f64 = add %total, %part
    continue[0] %next
  }
  return %b, %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>, f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = const 2.0
  %6: array<f64, 1> in m1 = empty %1
  %7: i64 = const 4096
  %8: f64 = for %2, %1, %7, %4 !r m0|m1 !w m1 {
  (%9: i64, %10: f64):
    %11: i64 = sub %1, %9
    %12: i64 = min %11, %7
    %13: i64 = add %9, %12
    %14: f64 = for %9, %13, %3, %4 !r m0|m1 !w m1 {
    (%15: i64, %16: f64):
      %17: f64 = load_raw %0, %15 !r m0
      %18: f64 = mul %17, %5
      store_raw %6, %18, %15 !w m1
      %19: f64 = load_raw %6, %15 !r m1
      %20: f64 = add %16, %19
      continue[0] %20
    }
    %21: f64 = add %10, %14
    continue[0] %21
  }
  return %6, %8
}
