; All that an iteration reads of a row it has stored: the row is its own.
; pass: contract
; count: zeros in loops = 1
; run: @f(3, 4) = 42.0
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
      %y: f64 = cast %i
      store_raw %t, %x, %i, %zero
      store_raw %t, %y, %i, %one
      %a: f64 = load_raw %t, %i, %one
      %b: f64 = load_raw %t, %i, %zero
      %both: f64 = add %a, %b
      %total: f64 = add %sum, %both
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
  %6: i64 = const 0
  %7: bool = ge %0, %6
  check[ValueError, "negative dimensions are not allowed"] %7
  %8: f64 = for %2, %1, %3, %5 !r m0 !w m0 {
  (%9: i64, %10: f64):
    %11: i64 = add %9, %3
    %12: f64 = cast %11
    %13: f64 = for %2, %0, %3, %10 !r m0 !w m0 {
    (%14: i64, %15: f64):
      %16: array<f64, 1> in m0 = zeros %4
      %17: f64 = cast %14
      store_raw %16, %12, %2 !w m0
      store_raw %16, %17, %3 !w m0
      %18: f64 = load_raw %16, %3 !r m0
      %19: f64 = load_raw %16, %2 !r m0
      %20: f64 = add %18, %19
      %21: f64 = add %15, %20
      continue[0] %21
    }
    continue[0] %13
  }
  return %8
}
