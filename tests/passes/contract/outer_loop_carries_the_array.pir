; The next run of the inner loop finds what the run before it left in the array.
; pass: contract
; count: zeros in loops = 0
; run: @f([1.0, 2.0], 3) = [3.0, 6.0], 9.0
; run: @f([1.0, 2.0], 0) = [1.0, 2.0], 0.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (array<f64, 1>, f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %t: array<f64, 1> = zeros %n
  %b: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    store_raw %b, %x, %i
    continue[0]
  }
  %last: f64 = for %zero, %k, %one, %start {
  (%time: i64, %old: f64):
    %sum: f64 = for %zero, %n, %one, %start {
    (%j: i64, %p: f64):
      %u: f64 = load_raw %t, %j
      %v: f64 = load_raw %a, %j
      %w: f64 = add %u, %v
      store_raw %t, %w, %j
      store_raw %b, %w, %j
      %q: f64 = add %p, %w
      continue[0] %q
    }
    continue[0] %sum
  }
  return %b, %last
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>, f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 1> in m1 = zeros %2
  %7: array<f64, 1> in m2 = empty %2
  for %3, %2, %4 !r m0 !w m2 {
  (%8: i64):
    %9: f64 = load_raw %0, %8 !r m0
    store_raw %7, %9, %8 !w m2
    continue[0]
  }
  %10: f64 = for %3, %1, %4, %5 !r m0|m1 !w m1|m2 {
  (%11: i64, %12: f64):
    %13: f64 = for %3, %2, %4, %5 !r m0|m1 !w m1|m2 {
    (%14: i64, %15: f64):
      %16: f64 = load_raw %6, %14 !r m1
      %17: f64 = load_raw %0, %14 !r m0
      %18: f64 = add %16, %17
      store_raw %6, %18, %14 !w m1
      store_raw %7, %18, %14 !w m2
      %19: f64 = add %15, %18
      continue[0] %19
    }
    continue[0] %13
  }
  return %7, %10
}
