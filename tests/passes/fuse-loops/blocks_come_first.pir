; The loop in blocks stands before the plain one, which is cut; what the plain one carries goes through both loops.
; pass: fuse-loops
; count: for = 2
; count: for in loops = 1
; run: @f([1.0, 2.0, 4.0]) = 7.0, 4.0
; run: @f([]) = 0.0, 0.0
func @f loop fast (%a: array<f64, 1>) -> (f64, f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %block: i64 = const 4096
  %sum: f64 = for %zero, %n, %block, %start {
  (%from: i64, %total: f64):
    %left: i64 = sub %n, %from
    %count: i64 = min %left, %block
    %to: i64 = add %from, %count
    %part: f64 = for %from, %to, %one, %start {
    (%j: i64, %before: f64):
      %z: f64 = load_raw %a, %j
      %after: f64 = add %before, %z
      continue[0] %after
    }
    %next: f64 = add %total, %part
    continue[0] %next
  }
  %most: f64 = for %zero, %n, %one, %start {
  (%i: i64, %so_far: f64):
    %x: f64 = load_raw %a, %i
    %more: f64 = max %so_far, %x
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
  %5: i64 = const 4096
  %6: f64, %7: f64 = for %2, %1, %5, %4, %4 !r m0 {
  (%8: i64, %9: f64, %10: f64):
    %11: i64 = sub %1, %8
    %12: i64 = min %11, %5
    %13: i64 = add %8, %12
    %14: f64, %15: f64 = for %8, %13, %3, %4, %10 !r m0 {
    (%16: i64, %17: f64, %18: f64):
      %19: f64 = load_raw %0, %16 !r m0
      %20: f64 = add %17, %19
      %21: f64 = load_raw %0, %16 !r m0
      %22: f64 = max %18, %21
      continue[0] %20, %22
    }
    %23: f64 = add %9, %14
    continue[0] %23, %15
  }
  return %6, %7
}
