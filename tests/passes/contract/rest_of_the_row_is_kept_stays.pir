; Of a row one element is stored first, but another one is still what the outer loop's iteration before left there.
; pass: contract
; count: zeros in loops = 0
; run: @f(3, 4) = 183.0
func @f loop fast (%n: i64, %k: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %start: f64 = const 0.0
  %t: array<f64, 2> = zeros %n, %two
  %last: f64 = for %zero, %k, %one, %start {
  (%time: i64, %old: f64):
    %next: i64 = add %time, %one
    %x: f64 = cast %next
    %all: f64 = for %zero, %n, %one, %old {
    (%i: i64, %sum: f64):
      store_raw %t, %x, %i, %zero
      %a: f64 = load_raw %t, %i, %one
      %b: f64 = load_raw %t, %i, %zero
      %both: f64 = add %a, %b
      %total: f64 = add %sum, %both
      store_raw %t, %total, %i, %one
      continue[0] %total
    }
    continue[0] %all
  }
  return %last
}
; ---- after
func @f loop fast (%0: i64, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 0.0
  %6: array<f64, 2> in m0 = zeros %0, %4
  %7: f64 = for %2, %1, %3, %5 !r m0 !w m0 {
  (%8: i64, %9: f64):
    %10: i64 = add %8, %3
    %11: f64 = cast %10
    %12: f64 = for %2, %0, %3, %9 !r m0 !w m0 {
    (%13: i64, %14: f64):
      store_raw %6, %11, %13, %2 !w m0
      %15: f64 = load_raw %6, %13, %3 !r m0
      %16: f64 = load_raw %6, %13, %2 !r m0
      %17: f64 = add %15, %16
      %18: f64 = add %14, %17
      store_raw %6, %18, %13, %3 !w m0
      continue[0] %18
    }
    continue[0] %12
  }
  return %7
}
