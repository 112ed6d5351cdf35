; Each run of the outer loop has an array of its own, so that the inner one may make it.
; pass: contract
; count: zeros in loops = 1
; run: @f([1.0, 2.0], 3) = 9.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %last: f64 = for %zero, %k, %one, %start {
  (%time: i64, %old: f64):
    %t: array<f64, 1> = zeros %n
    %sum: f64 = for %zero, %n, %one, %old {
    (%j: i64, %p: f64):
      %u: f64 = load_raw %t, %j
      %v: f64 = load_raw %a, %j
      %w: f64 = add %u, %v
      store_raw %t, %w, %j
      %y: f64 = load_raw %t, %j
      %q: f64 = add %p, %y
      continue[0] %q
    }
    continue[0] %sum
  }
  return %last
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %1, %4, %5 !r m0|m1 !w m1 {
  (%7: i64, %8: f64):
    %9: f64 = for %3, %2, %4, %8 !r m0|m1 !w m1 {
    (%10: i64, %11: f64):
      %12: i64 = const 1
      %13: array<f64, 1> in m1 = zeros %12
      %14: i64 = const 0
      %15: f64 = load_raw %13, %14 !r m1
      %16: f64 = load_raw %0, %10 !r m0
      %17: f64 = add %15, %16
      %18: i64 = const 0
      store_raw %13, %17, %18 !w m1
      %19: i64 = const 0
      %20: f64 = load_raw %13, %19 !r m1
      %21: f64 = add %11, %20
      continue[0] %21
    }
    continue[0] %9
  }
  return %6
}
